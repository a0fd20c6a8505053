# frozen_string_literal: true

require "mawashi/children/request_body"

module Mawashi
  module Children
    # The requests of a forked job to the server, by way of its forker; see {Requests}.
    class ForkRequests
      # @param link [Link] to the forker
      def initialize(link)
        @link = link
        @pid = Process.pid
        @lock = Mutex.new
        @last = 0
      end

      # Stores jobs, see {Native.enqueue}; waits for the answer. Threads ask one after the other.
      #
      # @raise [Mawashi::Error] when Redis cannot be reached or refuses
      def enqueue(jobs)
        RequestBody.of_jobs(jobs).each { |body| ask("Q", body) }
        nil
      end

      # Reads or changes how far an iterable job has come, see {Native.iteration}; waits for the answer.
      #
      # @raise [Mawashi::Error] when Redis cannot be reached or refuses
      def iteration(words)
        ask("K", RequestBody.of_words(words))
      end

      private

      def ask(kind, body)
        raise Error, "only the job's own process can ask the server, not one that it forked" if Process.pid != @pid

        RequestBody.result(*@lock.synchronize { answer(kind, body) })
      end

      # A job that is cut here leaves no half of a frame, but perhaps the answer to an earlier request.
      def answer(kind, request)
        id = @last += 1
        whole { @link.write(kind, [id].pack("Q>") << request) }
        loop do
          @link.wait(nil)
          answered, body = whole { @link.read }
          raise Error, "the server is gone" unless body

          return answered, body.byteslice(8, body.bytesize) if body.unpack1("Q>") == id
        end
      end

      def whole(&block)
        Thread.handle_interrupt(Object => :never, &block)
      end
    end
  end
end
