# frozen_string_literal: true

require "mawashi/children/fork_output"
require "mawashi/children/fork_socket"

module Mawashi
  module Children
    # A place of a forker where one fork runs at a time. Its streams are opened once and outlive the forks: a
    # socket for what a fork has to say, and a pipe for what it prints.
    class ForkSlot
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
      # @return [ForkOutput]
      attr_reader :output
      # @return [ForkSocket] readable when the fork says something
      attr_reader :socket

      def initialize(number)
        @number = number
        @output = ForkOutput.new
        @socket = ForkSocket.new
      end

      # A job begins here.
      def open(id)
        @id = id
        @since = now
        @last_word = nil
        @well = false
        @output.forget
      end

      # @return [Link] the fork's end of the socket
      def link
        @socket.link
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

      # Closes in a fork what would let it disturb the forker, or the fork that runs here.
      #
      # @param here [Boolean] whether it is the one that runs here
      def isolate(here)
        [@socket.to_io, @output.stream].each(&:close)
        [link, @output.to].each(&:close) unless here
      end

      # Takes what the fork says.
      #
      # @yield [String, String] kind and body of a request
      def hear(&block)
        @socket.hear { |kind, body| take(kind, body, &block) }
      end

      private

      def now
        Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
      end

      def take(kind, body)
        case kind
        when "W" then @well = body.unpack1("Q>") == @id
        when "P", "U" then @last_word = [kind, body]
        when "Q", "K", "M" then yield kind, body
        else @socket.refuse
        end
      end
    end
  end
end
