# frozen_string_literal: true

module Mawashi
  module Children
    # Sends the server what came of jobs, many at a time.
    class Outcomes
      JOBS_MAX = 128
      # A finished job waits for others at most so long before it is told.
      WAIT_NANOS = 1_000_000
      # Lines of a backtrace go along while an outcome has no more bytes than that.
      PROBLEM_BYTES_MAX = 1 << 20
      KINDS = { failed: "F", malformed: "M", interrupted: "I" }.freeze
      VERDICTS = { discard: 1, kill: 2 }.freeze
      # How a `retry` option that is no number goes over the wire.
      RETRY_ON = -1
      RETRY_OFF = -2

      # @param link [Link]
      # @param marks [#done, nil] see {RunningMarks}
      def initialize(link, marks = nil)
        @link = link
        @marks = marks
        @lock = Mutex.new
        @done = []
        @since = 0
      end

      # A job succeeded.
      #
      # @param nanos [Integer] that it ran
      # @param now [Integer] nanoseconds by the monotonic clock
      # @yieldreturn [Boolean] whether other jobs wait, so that telling may too. Asked once this one is untold:
      #   were it asked before, whoever takes or gives back the last of them could flush without it
      def done(id, nanos, now)
        full = @lock.synchronize do
          @since = now if @done.empty?
          @done.push(id, nanos)
          @marks&.done(id)
          @done.size >= 2 * JOBS_MAX || now - @since > WAIT_NANOS
        end
        flush if full || !yield
      end

      # A job did not succeed.
      #
      # @param problem [Problem]
      def problem(id, nanos, problem)
        flush
        body = [id, nanos, KINDS.fetch(problem.kind)].pack("Q>Q>a")
        append(body, problem.error_class)
        append(body, problem.message)
        body << [retry_option(problem.retry), delay(problem.wish), VERDICTS.fetch(problem.wish, 0)].pack("q>q>C")
        problem.backtrace.each { |line| append(body, line) if body.bytesize + line.to_s.bytesize < PROBLEM_BYTES_MAX }
        @link.write("P", body)
      end

      # Whether something has gathered.
      def untold?
        !@done.empty?
      end

      # Tells what is still untold.
      def flush
        done = @lock.synchronize do
          taken = @done
          @done = []
          taken
        end
        @link.write("E", done.pack("Q>*")) unless done.empty?
      end

      private

      def append(body, text)
        bytes = text.to_s.b
        body << [bytes.bytesize].pack("N") << bytes
      end

      def retry_option(option)
        return option.clamp(0, 2**31 - 1) if option.is_a?(Integer)

        option ? RETRY_ON : RETRY_OFF
      end

      def delay(wish)
        wish.is_a?(Integer) ? wish.clamp(1, 2**62) : 0
      end
    end
  end
end
