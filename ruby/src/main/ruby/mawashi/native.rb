# frozen_string_literal: true

module Mawashi
  # The one door between Ruby and the server around it. Only lambdas pass through it, never a Java
  # object, so that the same files run where the server is another process.
  module Native
    class << self
      # Hangs in the door. The server calls this once, before the app loads.
      #
      # @param enqueue [Proc] takes an array of `[queue, payload, at or nil]`
      # @example
      #   Mawashi::Native.connect(->(jobs) { jobs.size })
      def connect(enqueue)
        @enqueue = enqueue
      end

      # Says that the app is loaded to have its jobs run here, also where it cannot enqueue yet.
      def enter_server
        @is_in_server = true
      end

      # Whether the app was loaded to have its jobs run here.
      def server?
        @is_in_server || connected?
      end

      # Whether jobs can be enqueued through a server.
      def connected?
        !@enqueue.nil?
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
    end
  end
end
