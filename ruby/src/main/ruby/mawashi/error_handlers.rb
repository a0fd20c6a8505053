# frozen_string_literal: true

require "mawashi/cut"
require "mawashi/own_log"

module Mawashi
  # Reports to the app's error handlers, Sidekiq's own that logs among them, what was raised.
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
      rescue Interrupt, SystemExit, Cut
        raise
      rescue Exception => e # rubocop:disable Lint/RescueException -- the other handlers and the job go on
        OwnLog.say(:error, "#{e.class} while calling an error handler: #{e.message}")
      end
    end
  end
end
