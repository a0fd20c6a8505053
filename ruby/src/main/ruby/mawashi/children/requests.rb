# frozen_string_literal: true

require "mawashi/children/request_body"

module Mawashi
  module Children
    # The requests of jobs to the server over the child's link: to enqueue jobs and to keep how far iterable ones have
    # come. That then goes through the server's own clients and no Redis connection of this process.
    class Requests
      # One frame takes no more than that, but for a single request.
      FRAME_BYTES = 1 << 20

      # @param link [Link]
      def initialize(link)
        @link = link
        @lock = Mutex.new
        @last = 0
        @waiting = {}
        @enqueuing = false
        @asking = 0
        @gathered = []
      end

      # Stores jobs, see {Native.enqueue}; waits for the answer.
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

      # Asks and does not wait. While the server sees to one frame of jobs to enqueue, what others enqueue gathers.
      #
      # @param kind [String] of the request, Q or K
      # @param body [String] without the request's number
      # @yield [String, String] the answer when it has come: its kind, and its body without the number
      # @return [Integer] the request's number
      def pass(kind, body, &asker)
        # A job that is cut now would take what others gathered with it.
        Thread.handle_interrupt(Object => :never) do
          id = @lock.synchronize do
            @waiting[@last += 1] = asker
            @last
          end
          kind == "Q" ? gather(id, body) : @link.write(kind, [id].pack("Q>") << body)
          id
        end
      end

      # Takes the server's answer: to jobs to enqueue A, to several requests at once; else a request's number, then
      # what {RequestBody.result} reads.
      def answer(kind, body)
        return hand_over(kind, body.unpack1("Q>"), body.byteslice(8, body.bytesize)) unless kind == "A"

        place = 0
        while place < body.bytesize
          id, bytes = body.byteslice(place, 12).unpack("Q>N")
          hand_over(kind, id, body.byteslice(place + 12, bytes))
          place += 12 + bytes
        end
        send_gathered
      end

      private

      # Whoever comes while nothing is under way sends, also what others add until then.
      def gather(id, body)
        sends = @lock.synchronize do
          @gathered << ([id, body.bytesize].pack("Q>N") << body)
          next if @enqueuing

          @enqueuing = true
        end
        send_gathered if sends
      end

      # Threads that wait although nothing is under way have their answers, and are let go on first: what they enqueue
      # next goes along.
      def send_gathered
        Thread.pass if @asking > 1
        frame = @lock.synchronize { gathered }
        @link.write("Q", frame) if frame
      end

      def hand_over(kind, id, body)
        asker = @lock.synchronize { @waiting.delete(id) }
        asker&.call(kind, body)
      end

      # With the lock held: what is to be sent now.
      def gathered
        bytes = 0
        taken = @gathered.take_while { |request| (bytes += request.bytesize) <= FRAME_BYTES }
        taken = @gathered.first(1) if taken.empty?
        @gathered.shift(taken.size)
        @enqueuing = !taken.empty?
        taken.join if @enqueuing
      end

      # An interrupted job waits no more.
      def ask(kind, body)
        answers = Thread::Queue.new
        @lock.synchronize { @asking += 1 }
        id = pass(kind, body) { |*answer| answers << answer }
        RequestBody.result(*answers.pop)
      ensure
        @lock.synchronize do
          @asking -= 1
          @waiting.delete(id)
        end
      end
    end
  end
end
