# frozen_string_literal: true

module Mawashi
  # The one door between Ruby and the server around it. Only lambdas pass through it, never a Java
  # object, so that the same files run where the server is another process.
  module Native
    # The server takes no larger payload.
    PAYLOAD_BYTES_MAX = 16 << 20

    class << self
      # Hangs in the door. The server calls this once, before the app loads.
      #
      # @param enqueue [Proc] takes an array of `[queue, payload, at or nil]`
      # @param iteration [Proc] takes and answers an array of words, see {iteration}; left out, the last one stays
      # @example
      #   Mawashi::Native.connect(->(jobs) { jobs.size }, ->(words) { [] })
      def connect(enqueue, iteration = @iteration)
        @enqueue = enqueue
        @iteration = iteration
        @pid = Process.pid
      end

      # Says that the app is loaded to have its jobs run here, also where it cannot enqueue yet.
      def enter_server
        @is_in_server = true
      end

      # Whether the app was loaded to have its jobs run here.
      def server?
        @is_in_server || connected?
      end

      # Whether jobs can be enqueued through a server. Not so in a process that a job has forked: the server hears
      # its child alone.
      def connected?
        !@enqueue.nil? && @pid == Process.pid
      end

      # Whether the state of iterable jobs can be kept through a server.
      def iterates?
        !@iteration.nil?
      end

      # Stores jobs, all in one round trip.
      #
      # @param jobs [Array<Array(String, String, Float)>] queue, JSON text, time when due or nil
      # @raise [Mawashi::Error] when Redis cannot be reached or refuses
      # @example
      #   Mawashi::Native.enqueue([["default", '{"class":"A","args":[]}', nil]])
      def enqueue(jobs)
        raise Error, "jobs can be enqueued only inside a Mawashi server" unless @enqueue

        @enqueue.call(jobs)
        nil
      end

      # @param queue [String]
      # @param payload [String] JSON text
      # @raise [Mawashi::Error] when the payload is too large
      def require_size(queue, payload)
        return if payload.bytesize <= PAYLOAD_BYTES_MAX

        raise Error, "payload for queue \"#{queue}\" is #{payload.bytesize} bytes, limit is " \
                     "#{PAYLOAD_BYTES_MAX}: store the data elsewhere and pass its id"
      end

      # Reads or changes how far an iterable job has come.
      #
      # @param words [Array<String>] "read", "write" or "forget", a jid, and for "write" fields with their values
      # @return [Array<String>] to "read" fields with their values, to "write" when the job was cancelled, if it was
      # @raise [Mawashi::Error] when Redis cannot be reached or refuses
      # @example
      #   Mawashi::Native.iteration(["read", "d9f..."]) # => ["ex", "1", "c", "17", "rt", "0.5"]
      def iteration(words)
        @iteration.call(words)
      end

      # Puts the server's own methods into {Lines}, where the server's Java is in this process.
      #
      # @return [Boolean] whether it is
      def load_lines
        RUBY_ENGINE == "jruby" && JRuby::Util.load_ext("dev.mawashi.ruby.lines.LinesLibrary")
      rescue NameError
        false
      end
    end
  end
end
