# frozen_string_literal: true

require "mawashi/children/link"

module Mawashi
  module Children
    # The socket between a forker and the forks of one place. The forker waits for no fork, which may be
    # stopped: it takes what has come, and keeps what is not heard at once.
    class ForkSocket
      CHUNK_BYTES = 64 << 10
      private_constant :CHUNK_BYTES

      # @return [Link] the fork's end
      attr_reader :link
      # @return [Boolean] whether it said what no fork of ours says
      attr_reader :broken

      def initialize
        # Made once: a new one for each read would have the forker grow, and each fork take longer.
        @chunk = String.new(capacity: CHUNK_BYTES)
        connect
      end

      # @return [IO] the forker's end
      def to_io
        @ours
      end

      # Whether nothing is left of what was said by either, such as half a message, or an answer for which the
      # job did not wait. The next fork would take that for one to itself.
      def quiet?
        @unread.empty? && !unheard? && !@broken && !@link.wait(0)
      end

      # Gets other ends, which nobody else has.
      def renew
        [@ours, @link].each(&:close)
        connect
      end

      # Takes what the fork says.
      #
      # @yield [String, String] kind and body of a frame
      def hear(&block)
        while @ours.read_nonblock(CHUNK_BYTES, @chunk, exception: false).is_a?(String)
          @unread << @chunk
          take_frames(&block)
        end
      rescue SystemCallError
        refuse
      end

      # What the fork said is nothing that a fork of ours says.
      def refuse
        @broken = true
      end

      # Says something to the fork, now or when it hears.
      #
      # @param kind [String] one letter
      # @param body [String] bytes
      def answer(kind, body)
        @unheard << Link.frame(kind, body)
        say
      end

      # Says as much as the fork hears of what is left to say.
      def say
        while unheard? && (bytes = @ours.write_nonblock(@unheard, exception: false)).is_a?(Integer)
          @unheard.slice!(0, bytes)
        end
      rescue SystemCallError
        # It has ended or hears nobody.
        @unheard.clear
      end

      # Whether something is left to say.
      def unheard?
        !@unheard.empty?
      end

      private

      def connect
        @ours, theirs = UNIXSocket.pair
        @link = Link.new(theirs)
        @unread = "".b
        @unheard = "".b
        @broken = false
      end

      def take_frames
        while !@broken && @unread.bytesize > 4
          length = @unread.unpack1("N")
          return refuse unless length.between?(1, Link::FRAME_BYTES_MAX)
          return if @unread.bytesize < 4 + length

          yield(*@unread.slice!(0, 4 + length).unpack("x4aa*"))
        end
      end
    end
  end
end
