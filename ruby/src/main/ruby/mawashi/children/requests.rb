# frozen_string_literal: true

module Mawashi
  module Children
    # What jobs ask of the server over the child's link: to enqueue jobs and to keep how far iterable ones have
    # come. That then goes through the server's own clients and no Redis connection of this process.
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
        ask("Q", jobs.map { |job| entry(*job) }.join)
      end

      # Reads or changes how far an iterable job has come, see {Native.iteration}; waits for the answer.
      #
      # @raise [Mawashi::Error] when Redis cannot be reached or refuses
      def iteration(words)
        ask("K", words.map { |word| [word.bytesize].pack("N") << word.b }.join)
      end

      # Takes the server's answer: a request's number, then the error's text or nothing.
      def answer(body)
        settle(body, body.byteslice(8, body.bytesize).force_encoding(Encoding::UTF_8))
      end

      # Takes the server's answer: a request's number, then words.
      def answer_words(body)
        words = []
        place = 8
        while place < body.bytesize
          bytes = body.byteslice(place, 4).unpack1("N")
          words << body.byteslice(place + 4, bytes).force_encoding(Encoding::UTF_8)
          place += 4 + bytes
        end
        settle(body, words)
      end

      private

      def ask(kind, body)
        answer = Thread::Queue.new
        id = @lock.synchronize do
          @last += 1
          @waiting[@last] = answer
          @last
        end
        @link.write(kind, [id].pack("Q>") << body)
        answered = answer.pop
        raise Error, answered if answered.is_a?(String) && !answered.empty?

        answered
      ensure
        @lock.synchronize { @waiting.delete(id) } if id
      end

      def settle(body, answer)
        waiting = @lock.synchronize { @waiting[body.unpack1("Q>")] }
        waiting&.push(answer)
      end

      # A time of 0 means at once.
      def entry(queue, payload, due)
        [(due || 0).to_f, queue.bytesize, payload.bytesize].pack("GnN") << queue.b << payload.b
      end
    end
  end
end
