# frozen_string_literal: true

module Mawashi
  module Children
    # Sends the server what came of jobs, many at a time.
    #
    # What is untold stays in one array, of which each change is a single call of MRI's own, so that threads need no
    # lock: one that adds to it can come in between two calls, where it does no harm.
    class Outcomes
      JOBS_MAX = 128
      # A finished job waits for others at most so long before it is reported.
      WAIT_NANOS = 1_000_000
      # Lines of a backtrace go along while an outcome has no more bytes than that.
      PROBLEM_BYTES_MAX = 1 << 20
      KINDS = { failed: "F", unfound: "N", malformed: "M", interrupted: "I" }.freeze
      VERDICTS = { discard: 1, kill: 2, hold: 3 }.freeze
      # How a `retry` option that is no number goes over the wire.
      RETRY_ON = -1
      RETRY_OFF = -2

      # Reads what a job failed by out of what {#problem} sends.
      #
      # @param body [String]
      # @return [Hash, nil] as the payload gets it, see {PastRun.error}; nil when that was not sent by {#problem}
      def self.failure(body)
        name_bytes = body.byteslice(17, 4)&.unpack1("N") or return
        message_bytes = body.byteslice(21 + name_bytes, 4)&.unpack1("N") or return
        texts = [body.byteslice(21, name_bytes), body.byteslice(25 + name_bytes, message_bytes)]
        %w[error_class error_message].zip(texts.map { |text| text.to_s.force_encoding(Encoding::UTF_8) }).to_h
      end

      # @param link [Link]
      def initialize(link)
        @link = link
        @done = []
        @since = 0
      end

      # A job succeeded.
      #
      # @param row [RunningMarks::Row] where it is noted
      # @param nanos [Integer] that it ran
      # @param now [Integer] nanoseconds by the monotonic clock
      # @yieldreturn [Boolean] whether other jobs wait, so that the report may too. Asked once this one is unreported:
      #   were it asked before, whoever takes or gives back the last of them could flush without it
      def done(row, id, nanos, now)
        row.done
        @since = now if @done.empty?
        @done.push(id, nanos)
        return unless @done.size >= 2 * JOBS_MAX || now - @since > WAIT_NANOS || !yield

        # The report may take as long as the server does not read.
        row.rest
        flush
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

      # Jobs were not begun, and will not be.
      #
      # @param ids [Array<Integer>]
      def unbegun(ids)
        flush
        @link.write("B", ids.pack("Q>*"))
      end

      # Whether something has gathered.
      def untold?
        !@done.empty?
      end

      # Reports what is still unreported.
      def flush
        done = @done.shift(@done.size)
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
