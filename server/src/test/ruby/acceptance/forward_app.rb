# frozen_string_literal: true

require_relative "app"

# Counts itself and then enqueues another job, both by the app's own connection.
class ForwardJob
  include Noted

  def perform(*)
    noted do
      Sidekiq.redis { |connection| connection.call("INCR", "forwarded") }
      PlainJob.perform_async
    end
  end
end
