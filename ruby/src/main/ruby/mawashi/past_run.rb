# frozen_string_literal: true

require "mawashi/class_lookup"
require "mawashi/lost_jobs"

module Mawashi
  # A failed run that was in another process, as far as the payload describes it.
  module PastRun
    class << self
      # @param job [Hash] the payload with what is known of the failure
      # @return [Class, nil] the job's class, nil when there is none
      def job_class(job)
        ClassLookup.job_class(job["class"])
      rescue StandardError, LoadError
        nil
      end

      # @param job [Hash] the payload with what is known of the failure
      # @return [Exception] of the same class, where there is one, and with the same message; without the
      #   backtrace
      def error(job)
        message = job["error_message"].to_s
        # Not by `new`, which may want more than a message.
        error = error_class(job["error_class"]).allocate.exception(message)
        error = RuntimeError.new(message) if error.message != message
        error.set_backtrace([])
        error
      rescue StandardError
        RuntimeError.new(message)
      end

      private

      def error_class(name)
        type = ClassLookup.constant(name)
        type.is_a?(Class) && type <= Exception ? type : RuntimeError
      rescue NameError, LoadError
        RuntimeError
      end
    end
  end
end
