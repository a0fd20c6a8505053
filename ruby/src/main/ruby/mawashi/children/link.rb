# frozen_string_literal: true

require "socket"

module Mawashi
  module Children
    # One end of the connection between the server and a Ruby process. What goes over it are frames: the
    # length of what follows (four bytes, most significant first), a letter for the kind, a body. The server's
    # `FrameKind` lists the letters.
    class Link
      # Neither end makes a longer frame: it is twice the largest payload, which has one of its own.
      FRAME_BYTES_MAX = 32 << 20

      # Connects to the server and says who this is.
      #
      # @param path [String] of the server's Unix socket
      # @param role [String] "P" for the parent, "C" for a child, "O" and "E" for what a child
      #   prints to its standard output and error, "F" for one that has no work yet
      # @param number [Integer] of the child
      def self.connect(path, role, number = 0)
        link = new(UNIXSocket.new(path))
        link.write("H", [role, number, Process.pid].pack("aNN"))
        link
      end

      # @param kind [String] one letter
      # @param body [String] bytes
      # @return [String] as it is sent
      # @raise [Error] when it is too long
      def self.frame(kind, body)
        raise Error, "a frame of #{body.bytesize} bytes" if body.bytesize >= FRAME_BYTES_MAX

        # A text that is not bytes yet cannot follow a length that is no text.
        [body.bytesize + 1, kind].pack("Na") << body.b
      end

      # @param socket [IO] connected, both ways
      def initialize(socket)
        @socket = socket
        @socket.binmode
        @lock = Mutex.new
      end

      # @return [Array(String, String), nil] kind and body of the next frame, nil when the server is gone
      def read
        head = @socket.read(5)
        return if head.nil? || head.bytesize < 5

        length, kind = head.unpack("Na")
        raise Error, "a frame of #{length} bytes: this is not the server" unless length.between?(1, FRAME_BYTES_MAX)

        body = length == 1 ? "" : @socket.read(length - 1)
        [kind, body] if body && body.bytesize == length - 1
      rescue Errno::ECONNRESET
        nil
      end

      # Waits until something can be read.
      #
      # @param seconds [Float, nil] at most so long
      # @return [Boolean] false when nothing came
      def wait(seconds)
        !IO.select([@socket], nil, nil, seconds).nil?
      end

      # Sends a frame whole, also when several threads send.
      #
      # @param kind [String] one letter
      # @param body [String] bytes
      # @raise [Error] when it is too long; nothing is sent then
      def write(kind, body = "")
        frame = Link.frame(kind, body)
        @lock.synchronize { @socket.write(frame) }
      end

      # @return [IO]
      def to_io
        @socket
      end

      def close
        @socket.close
      end
    end
  end
end
