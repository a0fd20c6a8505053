# frozen_string_literal: true

module Mawashi
  module Children
    # A frame of jobs, as the server's `JobFrame` writes it: whether the payloads may be parsed together, the number
    # of jobs, how long the names of their queues are, until when jobs may begin; for each job its id and the lengths
    # of its queue's name and of its payload; the names; the payloads as a JSON array.
    module JobFrame
      PREFIX_BYTES = 17
      HEAD = "Q>nN"
      HEAD_BYTES = 14
      # In place of a length: the job's queue is that of the one before.
      SAME_QUEUE = 0xffff

      class << self
        # Until when jobs may begin: the server's lease on them may end then, and others may run them.
        #
        # @param body [String]
        # @return [Integer] nanoseconds by the monotonic clock
        def until(body)
          body.byteslice(PREFIX_BYTES - 8, 8).unpack1("q>")
        end

        # The jobs of a frame are all of one lane, see {Lanes#queue}.
        #
        # @param body [String]
        # @return [Integer]
        def first_id(body)
          body.unpack1("@#{PREFIX_BYTES}Q>")
        end

        # Jobs with their payloads as they came.
        #
        # @param body [String]
        # @yield [Array(Integer, String, String)] id, queue and payload of each job; queues are shared
        def each(body)
          place = texts_place(body)
          each_head(body) do |id, queue, bytes|
            yield [id, queue, body.byteslice(place, bytes)]
            place += bytes + 1
          end
        end

        # Jobs with their payloads parsed, all at once where the server allows it, since that costs less than one
        # after the other. Otherwise, or when that fails, they come as in {each}, so that a payload which cannot be
        # parsed is only its own job's problem.
        #
        # @param body [String]
        # @yield [Array(Integer, String, Hash, String)] id, queue and payload of each job, and the frame, for {text}
        def each_parsed(body, &block)
          payloads = parse(body) or return each(body, &block)
          number = -1
          each_head(body) { |id, queue, _| yield [id, queue, payloads[number += 1], body] }
        end

        # @param body [String]
        # @param id [Integer] of a job in it
        # @return [String] its payload as it came
        def text(body, id)
          each(body) { |job| return job.last if job.first == id }
        end

        private

        def parse(body)
          together, count = body.unpack("CN")
          return if together.zero?

          text = body.byteslice(texts_place(body) - 1, body.bytesize)
          payloads = Sidekiq.load_json(text.force_encoding(Encoding::UTF_8))
          payloads if payloads.is_a?(Array) && payloads.size == count && payloads.all?(Hash)
        rescue StandardError
          nil
        end

        # Where the first payload begins.
        def texts_place(body)
          _, count, names_bytes = body.unpack("CNN")
          PREFIX_BYTES + count * HEAD_BYTES + names_bytes + 1
        end

        def each_head(body)
          count = body.byteslice(1, 4).unpack1("N")
          place = PREFIX_BYTES + count * HEAD_BYTES
          heads = body.byteslice(PREFIX_BYTES, count * HEAD_BYTES).unpack(HEAD * count)
          queue = ""
          number = 0
          while number < heads.size
            name_bytes = heads[number + 1]
            unless name_bytes == SAME_QUEUE
              queue = body.byteslice(place, name_bytes).force_encoding(Encoding::UTF_8)
              place += name_bytes
            end
            yield heads[number], queue, heads[number + 2]
            number += 3
          end
        end
      end
    end
  end
end
