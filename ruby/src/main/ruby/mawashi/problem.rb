# frozen_string_literal: true

require "mawashi/own_frames"

module Mawashi
  # The result of a run that did not succeed.
  #
  # kind::        :failed, :unfound (failed before its class was found), :malformed or :interrupted
  # error_class:: name of what was raised
  # message::     at most 10,000 characters of UTF-8; the reason when the payload is malformed
  # backtrace::   array of lines
  # retry::       the class's `retry` option
  # wish::        seconds, :discard, :kill, :hold or nil, from `sidekiq_retry_in`
  # error::       the exception, for death handlers
  # job_class::   nil when none was found
  Problem = Struct.new(:kind, :error_class, :message, :backtrace, :retry, :wish, :error, :job_class)

  # (see Problem)
  class Problem
    FAILED = %i[failed unfound].freeze
    MESSAGE_RAISED = "!!! ERROR MESSAGE THREW AN ERROR !!!"
    MESSAGE_CHARACTERS_MAX = 10_000
    BACKTRACE_LINES_MAX = 1_000
    INTERRUPTED = new(:interrupted, "", "", []).freeze
    # How Ruby quotes the line of source where an error came up.
    QUOTE = /\n\n.*\n *\^+/.freeze
    private_constant :FAILED, :MESSAGE_RAISED, :QUOTE

    class << self
      # The problem that a raised error is to the server.
      #
      # @param error [Exception]
      # @param job_class [Class, nil] that ran
      # @param option [Object] its `retry` option
      # @param wish [Object] what its `sidekiq_retry_in` wants
      # @param trace [Array<String>, nil] what is worth keeping of the backtrace; nil when that is all of it
      def of(error, job_class, option, wish, trace = nil)
        name = error.class.name || error.class.inspect
        new(:failed, name, text(error), lines(error, trace), option, wish, error, job_class)
      end

      # Whether it is what the server raises at its stop, be it as the cause of another error.
      def shutdown?(error)
        seen = {}.compare_by_identity
        while error && !seen[error]
          return true if error.is_a?(Sidekiq::Shutdown)

          seen[error] = true
          error = error.cause
        end
        false
      end

      # @return [String] what an error says, as far as it is kept
      def text(error)
        message = error.message.to_s.dup.force_encoding(Encoding::UTF_8).scrub
        message = message.sub(QUOTE, "") if OwnFrames.source_of?(error)
        message[0, MESSAGE_CHARACTERS_MAX]
      rescue Exception # rubocop:disable Lint/RescueException -- Sidekiq's own words then
        MESSAGE_RAISED
      end

      private

      def lines(error, trace)
        OwnFrames.without((trace || error.backtrace || []).first(BACKTRACE_LINES_MAX))
      rescue StandardError
        []
      end
    end

    # Whether the job failed.
    def failed?
      FAILED.include?(kind)
    end
  end
end
