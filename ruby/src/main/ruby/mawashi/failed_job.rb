# frozen_string_literal: true

require "mawashi/own_frames"
require "mawashi/problem"
require "zlib"

module Mawashi
  # A payload as the failure at hand leaves it, for the app's blocks: with the fields that the server sets
  # (`FailureFields`).
  module FailedJob
    class << self
      # @param job [Hash] the payload as the run found it
      # @param option [Object] the class's `retry` option
      # @param trace [Array<String>, nil] what is worth keeping of the backtrace; nil when that is all of it
      # @param gem [GemConfig, Resque::App] knows how times are written in a job that holds none
      # @return [Hash] a copy
      def of(job, error, option, trace, gem)
        failed = job.dup
        failed["retry"] = option if job["retry"].nil?
        failed["queue"] = job["retry_queue"] if job["retry_queue"]
        failed["error_message"] = Problem.text(error)
        failed["error_class"] = error.class.name
        failed[job["retry_count"] ? "retried_at" : "failed_at"] = now(job, gem)
        failed["retry_count"] = job["retry_count"] ? job["retry_count"].to_i + 1 : 0
        lines = trace || error.backtrace
        failed["error_backtrace"] = packed(OwnFrames.without(lines), job["backtrace"]) if lines && job["backtrace"]
        failed
      end

      # Whether a failed job has no try left, so that nobody is asked when the next is to be.
      #
      # @param failed [Hash] see {of}
      # @param gem [GemConfig, Resque::App] see {of}
      def last?(failed, gem)
        retries = failed["retry"] or return true
        is_spent = failed["retry_count"] >= (retries.is_a?(Integer) ? retries : gem.max_retries)
        seconds = failed["retry_for"]
        return is_spent unless seconds.is_a?(Integer)

        over?(failed["failed_at"], seconds) || (is_spent && !millis?(failed, gem))
      end

      private

      # As Sidekiq does from 7 on; before, it gave the blocks no job.
      def packed(lines, wanted)
        kept = wanted == true ? lines : lines.first([wanted.to_i, 0].max)
        [Zlib::Deflate.deflate(Sidekiq.dump_json(kept))].pack("m0")
      end

      # In Sidekiq 8 the time of `retry_for` counts alone; before, it counted beside the number of retries.
      def over?(first, seconds)
        return false unless first.is_a?(Numeric)

        (first.is_a?(Float) ? first : first / 1_000.0) + seconds < Time.now.to_f
      end

      def now(job, gem)
        Process.clock_gettime(Process::CLOCK_REALTIME, millis?(job, gem) ? :millisecond : :float_second)
      end

      # Sidekiq writes floats up to 7 and milliseconds from 8 on; a job keeps the form that it has.
      def millis?(job, gem)
        witness = %w[created_at enqueued_at failed_at].map { |field| job[field] }.find { |time| time.is_a?(Numeric) }
        witness ? !witness.is_a?(Float) : gem.writes_millis?
      end
    end
  end
end
