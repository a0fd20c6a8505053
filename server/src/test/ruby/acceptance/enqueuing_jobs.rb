# frozen_string_literal: true

# Jobs that enqueue others, and one with a lock. Apps load it after `app`.
require "mawashi/unique"

Sidekiq::Enterprise.unique!

class UniqueGateJob < GateJob
  sidekiq_options unique_for: 600
end

# Enqueues in each way that there is.
class ForwardJob
  include Noted

  def perform
    noted do
      PlainJob.perform_async
      PlainJob.perform_in(0.1)
      Sidekiq::Client.push_bulk("class" => PlainJob, "args" => [[1], [2]])
      Sidekiq.redis { |connection| connection.incr("forwarded") }
    end
  end
end
