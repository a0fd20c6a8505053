# frozen_string_literal: true

require "mawashi/arguments"
require "mawashi/hidden_arguments"

module Mawashi
  # The handlers that the app wants called when jobs fail, by the rules of its Sidekiq's version.
  module GemHandlers
    # Error handlers; the first is Sidekiq's own, which logs, unless the app has taken it out.
    def error_handlers
      config? ? config.error_handlers : settings[:error_handlers]
    end

    # Called with job and error when a job will not run again.
    def death_handlers
      config? ? config.death_handlers : settings[:death_handlers] || []
    end

    # Whether death handlers are called for discarded jobs too, as from 8.0.7 on.
    def mourns_discarded?
      since?("8.0.7")
    end

    # Whether death handlers find `discarded_at` in a discarded job, as from 8.0.8 on.
    def dates_discarded?
      since?("8.0.8")
    end

    # Has Sidekiq's own handler, which logs, hear of jobs without their arguments. The app's handlers hear all.
    def hide_arguments
      @hides_arguments = true
    end

    # The third argument has been there since Sidekiq 7.
    def call_error_handler(handler, error, context)
      context = HiddenArguments.of(context) if @hides_arguments && stock?(handler)
      Arguments.call(handler, error, context, *(config? ? [config] : []))
    end

    private

    # Up to Sidekiq 6.4 it is an object, in 6.5 a method, and then a block.
    def stock?(handler)
      return handler.equal?(Sidekiq::Config.const_get(:ERROR_HANDLER)) if config?
      return handler == Sidekiq.method(:default_error_handler) if Sidekiq.respond_to?(:default_error_handler)

      handler.is_a?(Sidekiq::ExceptionHandler::Logger)
    end
  end
end
