# frozen_string_literal: true

module Mawashi
  module Children
    # What jobs ask of the server over the child's link: to enqueue jobs and to keep how far iterable ones have
    # come. That then goes through the server's own clients and no Redis connection of this process.
    class Requests
      class << self
        # Jobs as they stand in a request of kind Q. A time of 0 means at once.
        #
        # @param jobs [Array<Array(String, String, Float)>] see {Native.enqueue}
        # @return [String]
        def entries(jobs)
          jobs.map do |queue, payload, due|
            [(due || 0).to_f, queue.bytesize, payload.bytesize].pack("GnN") << queue.b << payload.b
          end.join
        end

        # Words as they stand in a request of kind K.
        #
        # @param words [Array<String>] see {Native.iteration}
        # @return [String]
        def words(words)
          words.map { |word| [word.bytesize].pack("N") << word.b }.join
        end

        # What an answer says.
        #
        # @param kind [String] A, N: an error's text, or nothing; D: words
        # @return [Array<String>, nil] the words
        # @raise [Mawashi::Error] when it is an error
        def result(kind, body)
          return read_words(body) if kind == "D"

          text = body.dup.force_encoding(Encoding::UTF_8)
          raise Error, text unless text.empty?
        end

        private

        def read_words(body)
          words = []
          place = 0
          while place < body.bytesize
            bytes = body.byteslice(place, 4).unpack1("N")
            words << body.byteslice(place + 4, bytes).force_encoding(Encoding::UTF_8)
            place += 4 + bytes
          end
          words
        end
      end

      # One frame takes no more than that, but for a single request.
      FRAME_BYTES = 1 << 20

      # @param link [Link]
      def initialize(link)
        @link = link
        @lock = Mutex.new
        @last = 0
        @waiting = {}
        @enqueuing = false
        @gathered = []
      end

      # Stores jobs, see {Native.enqueue}; waits for the answer.
      #
      # @raise [Mawashi::Error] when Redis cannot be reached or refuses
      def enqueue(jobs)
        ask("Q", Requests.entries(jobs))
      end

      # Reads or changes how far an iterable job has come, see {Native.iteration}; waits for the answer.
      #
      # @raise [Mawashi::Error] when Redis cannot be reached or refuses
      def iteration(words)
        ask("K", Requests.words(words))
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
          id, frame = @lock.synchronize do
            @waiting[@last += 1] = asker
            next [@last, [@last].pack("Q>") << body] unless kind == "Q"

            @gathered << ([@last, body.bytesize].pack("Q>N") << body)
            [@last, @enqueuing ? nil : gathered]
          end
          @link.write(kind, frame) if frame
          id
        end
      end

      # Takes the server's answer: to jobs to enqueue A, to several requests at once; else a request's number, then
      # what {Requests.result} reads.
      def answer(kind, body)
        return tell(kind, body.unpack1("Q>"), body.byteslice(8, body.bytesize)) unless kind == "A"

        frame = @lock.synchronize { gathered }
        @link.write("Q", frame) if frame
        place = 0
        while place < body.bytesize
          id, bytes = body.byteslice(place, 12).unpack("Q>N")
          tell(kind, id, body.byteslice(place + 12, bytes))
          place += 12 + bytes
        end
      end

      private

      def tell(kind, id, body)
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
        id = pass(kind, body) { |*answer| answers << answer }
        Requests.result(*answers.pop)
      ensure
        @lock.synchronize { @waiting.delete(id) } if id
      end
    end
  end
end
