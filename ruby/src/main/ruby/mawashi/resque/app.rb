# frozen_string_literal: true

require "forwardable"
require "mawashi/resque/class_lookup"

module Mawashi
  module Resque
    # The loaded app as it runs Resque's jobs: with none of what Sidekiq has around a job. It answers what
    # {SidekiqGem} does.
    class App
      extend Forwardable

      # A logger is asked for only by what looks like a job of Sidekiq's with a log level of its own.
      def_delegators :@sidekiq, :version, :enter_slot, :close_connections, :fire, :launcher, :lifecycle, :lifecycle_events, :new_job_logger

      # @param sidekiq [SidekiqGem] of the same app
      def initialize(sidekiq)
        @sidekiq = sidekiq
      end

      # Finds job classes by their names.
      def class_lookup
        ClassLookup
      end

      # In a Rails app, threads that others use after a job need their connections back.
      def reloader
        @sidekiq.reloader || (rails_reloader if defined?(::Rails.application) && ::Rails.application)
      end

      def server_middleware
        nil
      end

      def chain_use
        :none
      end

      def handled_error
        nil
      end

      # Jobs of Resque's have no fields.
      def held_fields
        []
      end

      def hold(_)
        nil
      end

      def job_profile
        nil
      end

      def capsules?
        false
      end

      # Resque has none.
      def max_retries
        0
      end

      # Of no matter: no job is retried.
      def writes_millis?
        true
      end

      def backtrace_cleaner
        nil
      end

      def logs_jobs?
        false
      end

      # The server logs failures.
      def error_handlers
        []
      end

      private

      def rails_reloader
        ->(&block) { ::Rails.application.reloader.wrap(&block) }
      end
    end
  end
end
