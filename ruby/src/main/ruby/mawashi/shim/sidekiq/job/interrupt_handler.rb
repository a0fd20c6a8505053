# frozen_string_literal: true

require "sidekiq/job/interrupted"

module Sidekiq
  module Job
    # The server middleware that puts a job which ended early at the back of its queue.
    class InterruptHandler
      include ServerMiddleware

      def call(_job, payload, _queue)
        yield
      rescue Interrupted
        logger.debug("Interrupted, back to the queue...")
        Client.new.push(payload)
        raise JobRetry::Skip
      end
    end
  end

  configure_server { |config| config.server_middleware { |chain| chain.add(Job::InterruptHandler) } }
end
