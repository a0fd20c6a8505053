# frozen_string_literal: true

module Mawashi
  module Children
    # What jobs ask of the server over the child's link: to enqueue jobs, which then goes through its own
    # client and no Redis connection of this process.
    class Requests
      # @param link [Link]
      def initialize(link)
        @link = link
        @lock = Mutex.new
        @last = 0
        @waiting = {}
      end

      # Stores jobs, see {Native.enqueue}; waits for the answer.
      #
      # @raise [Mawashi::Error] when Redis cannot be reached or refuses
      def enqueue(jobs)
        answer = Thread::Queue.new
        id = @lock.synchronize do
          @last += 1
          @waiting[@last] = answer
          @last
        end
        @link.write("Q", [id].pack("Q>") << jobs.map { |job| entry(*job) }.join)
        refusal = answer.pop
        raise Error, refusal unless refusal.empty?
      ensure
        @lock.synchronize { @waiting.delete(id) } if id
      end

      # Takes the server's answer: a request's number, then the error's text or nothing.
      def answer(body)
        waiting = @lock.synchronize { @waiting[body.unpack1("Q>")] }
        waiting&.push(body.byteslice(8, body.bytesize).force_encoding(Encoding::UTF_8))
      end

      private

      # A time of 0 means at once.
      def entry(queue, payload, due)
        [(due || 0).to_f, queue.bytesize, payload.bytesize].pack("GnN") << queue.b << payload.b
      end
    end
  end
end
