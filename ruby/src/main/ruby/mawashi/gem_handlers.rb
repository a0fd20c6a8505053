# frozen_string_literal: true

require "mawashi/arguments"

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

    # The third argument has been there since Sidekiq 7.
    def call_error_handler(handler, error, context)
      Arguments.call(handler, error, context, *(config? ? [config] : []))
    end
  end
end
