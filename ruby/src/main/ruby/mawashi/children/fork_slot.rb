# frozen_string_literal: true

require "mawashi/children/fork_output"
require "mawashi/children/link"

module Mawashi
  module Children
    # A place of a forker where one fork runs at a time. Its streams are opened once and outlive the forks: a
    # socket for what a fork has to say, and a pipe for what it prints.
    class ForkSlot
      CHUNK_BYTES = 64 << 10
      private_constant :CHUNK_BYTES

      # @return [Integer] its place, from 0
      attr_reader :number
      # @return [Integer, nil] of the fork that runs here
      attr_reader :pid
      # @return [Integer] of the job that runs, or ran last
      attr_reader :id
      # @return [Array(String, String), nil] the frame that says what came of the job
      attr_reader :last_word
      # @return [Boolean] whether the fork's last word was that the job ended well
      attr_reader :well
      # @return [Boolean] whether it said what no fork of ours says
      attr_reader :broken
      # @return [ForkOutput]
      attr_reader :output
      # @return [IO] readable when the fork says something
      attr_reader :socket
      # @return [Link] the fork's end of the socket
      attr_reader :link

      def initialize(number)
        @number = number
        @output = ForkOutput.new
        # Made for each read, it would have the forker grow, and so each fork take longer.
        @chunk = String.new(capacity: CHUNK_BYTES)
        connect
      end

      # A job begins here.
      def open(id)
        @id = id
        @since = now
        @last_word = nil
        @well = false
        @output.forget
      end

      # @return [Integer] nanoseconds since the job began
      def nanos
        now - @since
      end

      # @param pid [Integer] that was forked for it
      def forked(pid)
        @pid = pid
      end

      # Kills the fork, which is not reaped yet.
      def kill
        kill_group
        # It may not have left the forker's group yet.
        Process.kill(:KILL, @pid)
      end

      # Kills the processes that the fork started, unless they left its group.
      def kill_group
        Process.kill(:KILL, -@pid)
      rescue Errno::ESRCH, Errno::EPERM
        # Nothing is left of it.
      end

      # The job's fork was reaped.
      def close
        @pid = nil
      end

      # Whether nothing is left of what was said, such as half a message.
      def quiet?
        @unread.empty? && !@broken
      end

      # Closes in a fork what would let it disturb the forker, or the fork that runs here.
      #
      # @param here [Boolean] whether it is the one that runs here
      def isolate(here)
        [@socket, @output.stream].each(&:close)
        [@link, @output.to].each(&:close) unless here
      end

      # Gets another socket, which nobody else has.
      def renew
        [@socket, @link].each(&:close)
        connect
      end

      # Takes what the fork says.
      #
      # @yield [String, String] kind and body of a request
      def hear(&block)
        while @socket.read_nonblock(CHUNK_BYTES, @chunk, exception: false).is_a?(String)
          @unread << @chunk
          @broken ||= !take_frames(&block)
        end
      rescue SystemCallError
        @broken = true
      end

      # Says something to the fork.
      def answer(kind, body)
        @answers.write(kind, body)
      rescue SystemCallError
        # It has ended or hears nobody.
      end

      private

      def now
        Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
      end

      def connect
        @socket, other = UNIXSocket.pair
        @answers = Link.new(@socket)
        @link = Link.new(other)
        @unread = "".b
        @broken = false
      end

      # @return [Boolean] false when these are no frames
      def take_frames
        while @unread.bytesize > 4
          length = @unread.unpack1("N")
          return false unless length.between?(1, Link::FRAME_BYTES_MAX)
          return true if @unread.bytesize < 4 + length

          kind, body = @unread.slice!(0, 4 + length).unpack("x4aa*")
          case kind
          when "W" then @well = body.unpack1("Q>") == @id
          when "P", "U" then @last_word = [kind, body]
          when "Q", "K" then yield kind, body
          else return false
          end
        end
        true
      end
    end
  end
end
