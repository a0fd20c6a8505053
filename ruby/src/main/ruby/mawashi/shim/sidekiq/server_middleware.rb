# frozen_string_literal: true

module Sidekiq
  # Included by a middleware class to reach the configuration.
  #
  # @example
  #   class Timing
  #     include Sidekiq::ServerMiddleware
  #     def call(_job, _payload, queue)
  #       yield.tap { logger.info(queue) }
  #     end
  #   end
  module ServerMiddleware
    attr_accessor :config

    def redis_pool
      config.redis_pool
    end

    def logger
      config.logger
    end

    def redis(&block)
      config.redis(&block)
    end
  end

  # Client middleware has the same.
  ClientMiddleware = ServerMiddleware
end
