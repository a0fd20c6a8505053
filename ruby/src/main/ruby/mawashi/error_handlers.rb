# frozen_string_literal: true

module Mawashi
  # Tells the app's error handlers, Sidekiq's own that logs among them, of what was raised.
  class ErrorHandlers
    # @param sidekiq [SidekiqGem]
    def initialize(sidekiq)
      @sidekiq = sidekiq
    end

    # @param error [Exception]
    # @param context [Hash{Symbol=>Object}] what Sidekiq says of it, under `:context` and other keys
    def call(error, context)
      @sidekiq.error_handlers.each do |handler|
        @sidekiq.call_error_handler(handler, error, context)
      rescue => e
        Sidekiq.logger.error("#{e.class} while calling an error handler: #{e.message}")
      end
    end
  end
end
