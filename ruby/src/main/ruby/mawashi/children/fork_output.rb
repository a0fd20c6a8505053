# frozen_string_literal: true

module Mawashi
  module Children
    # The pipe that forks print to, one after the other.
    class ForkOutput
      CHUNK_BYTES = 64 << 10
      # What is still read of a fork that has ended; a process that it left behind may print for ever.
      LEFT_BYTES_MAX = 1 << 20
      LINES_KEPT = 5
      LINE_BYTES_MAX = 10_000
      private_constant :CHUNK_BYTES, :LEFT_BYTES_MAX, :LINES_KEPT, :LINE_BYTES_MAX

      # @return [IO] readable when something was printed
      attr_reader :stream
      # @return [IO] where forks print
      attr_reader :to
      # @return [Array<String>] the lines that this fork printed last
      attr_reader :last

      def initialize
        @stream, @to = IO.pipe
        @rest = "".b
        # See {ForkSocket}.
        @chunk = String.new(capacity: CHUNK_BYTES)
        @last = []
      end

      # Another fork begins.
      def forget
        @last.clear
      end

      # Reads what was printed.
      #
      # @return [String] whole lines, or a piece of one that is too long; the empty string when there are none
      def read
        @rest << @chunk if chunk?
        last_end = @rest.rindex("\n")
        return take(last_end + 1) if last_end

        take(@rest.bytesize > LINE_BYTES_MAX ? @rest.bytesize : 0)
      end

      # Reads what a fork has left that ended.
      #
      # @return [String] also with a last line that has no end
      def read_left
        while chunk?
          @rest << @chunk
          break if @rest.bytesize > LEFT_BYTES_MAX
        end
        take(@rest.bytesize)
      end

      private

      def chunk?
        @stream.read_nonblock(CHUNK_BYTES, @chunk, exception: false).is_a?(String)
      end

      def take(bytes)
        return "" if bytes.zero?

        text = @rest.slice!(0, bytes)
        @last.concat(text.lines(chomp: true).last(LINES_KEPT).map { |line| line[0, LINE_BYTES_MAX] })
        @last.shift(@last.size - LINES_KEPT) if @last.size > LINES_KEPT
        text
      end
    end
  end
end
