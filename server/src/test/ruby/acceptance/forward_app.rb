# frozen_string_literal: true

require_relative "app"

# Enqueues another job and counts itself, both by the app's own connection.
class ForwardJob
  include Noted

  def perform(*)
    noted do
      PlainJob.perform_async
      Sidekiq.redis { |connection| connection.call("INCR", "forwarded") }
    end
  end
end
