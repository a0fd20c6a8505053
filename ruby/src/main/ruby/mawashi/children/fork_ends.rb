# frozen_string_literal: true

require "mawashi/lost_jobs"
require "mawashi/children/outcomes"
require "mawashi/problem"

module Mawashi
  module Children
    # Reports to the server what came of forks and what they printed. Jobs that are done gather until {#report}.
    #
    # A fork that ends as it should has said so, before it can be reaped. A status of 0 says nothing: a job
    # that is done does not end its process.
    class ForkEnds
      BROKEN = "child wrote to the server's socket"
      # Most failures that are kept for death handlers; beyond so many the oldest is let go.
      FAILURES_MAX = 100
      private_constant :BROKEN, :FAILURES_MAX

      # @param link [Link] to the server
      # @param marks [RunningMarks] where a job that is done is noted before it is reported
      def initialize(link, marks)
        @link = link
        @marks = marks
        @outcomes = Outcomes.new(link)
        @untold_since = nil
        @failures = {}
      end

      # What a job failed by, which the payload of a job that is not retried does not say; is given once.
      #
      # @param id [Integer] of the job
      # @return [Hash, nil] see {Outcomes.failure}
      def failure(id)
        @failures.delete(id)
      end

      # Reports a job that ran, at once or later.
      #
      # @param slot [ForkSlot] where it ran
      # @param status [Process::Status] of its fork
      def job(slot, status)
        return failed(slot) if slot.last_word

        nanos = slot.nanos
        return done(slot, nanos) if slot.well

        reason = reason(slot, status)
        text = [reason, slot.output.last.join(" | ")].reject(&:empty?).join(": ")
        # No error handler can write it to the log.
        print(slot, "#{reason}\n")
        keep(slot.id, "error_class" => ChildDied.name, "error_message" => text)
        @outcomes.problem(slot.id, nanos, Problem.new(:failed, ChildDied.name, text, [], true))
      end

      # Reports a job that was given up.
      #
      # @param slot [ForkSlot] where the app heard of it
      def given_up(slot)
        slot.last_word ? last_word(slot) : @link.write("U", [slot.id, 0].pack("Q>C"))
      end

      # Has the server log what was printed.
      #
      # @param text [String] lines; none when it is empty
      def print(slot, text)
        @link.write("L", [slot.pid || Process.pid, slot.pid ? slot.id : 0].pack("NQ>") << text) unless text.empty?
      end

      # Sends what has gathered.
      #
      # @param seconds [Float] only if it began to gather so long ago
      def report(seconds)
        flush if @untold_since && now - @untold_since >= seconds
      end

      # Whether something has gathered.
      def untold?
        !@untold_since.nil?
      end

      private

      def done(slot, nanos)
        @untold_since ||= now
        row = @marks.row(slot.number)
        @outcomes.done(row, slot.id, nanos, 0) do
          row.rest
          true
        end
      end

      def flush
        @outcomes.flush
        @untold_since = nil
      end

      def now
        Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end

      def failed(slot)
        keep(slot.id, Outcomes.failure(slot.last_word.last))
        last_word(slot)
      end

      def keep(id, failure)
        @failures[id] = failure if failure
        @failures.shift if @failures.size > FAILURES_MAX
      end

      def last_word(slot)
        flush
        @link.write(*slot.last_word)
      end

      def reason(slot, status)
        return BROKEN if slot.socket.broken
        return "child exited with status #{status.exitstatus}" unless status.signaled?

        name = Signal.signame(status.termsig)
        "child killed by #{name ? "SIG#{name}" : "signal #{status.termsig}"}"
      end
    end
  end
end
