# frozen_string_literal: true

module Mawashi
  module Children
    # The contents of requests to the server, and of its answers; see {Requests}.
    module RequestBody
      # Jobs that have more bytes than that together are stored by several requests.
      BYTES_MAX = 16 << 20

      class << self
        # Jobs as they stand in requests of kind Q. A time of 0 means at once.
        #
        # @param jobs [Array<Array(String, String, Float)>] see {Native.enqueue}
        # @return [Array<String>] one but for many bytes
        # @raise [Mawashi::Error] when a payload is too large
        def of_jobs(jobs)
          jobs.each_with_object([]) do |job, bodies|
            entry = entry(*job)
            bodies << "".b if bodies.empty? || bodies.last.bytesize + entry.bytesize > BYTES_MAX
            bodies.last << entry
          end
        end

        # Words as they stand in a request of kind K.
        #
        # @param words [Array<String>] see {Native.iteration}
        # @return [String]
        # @raise [Mawashi::Error] when they are too large
        def of_words(words)
          bytes = words.sum(&:bytesize)
          raise Error, "the state of an iterable job is #{bytes} bytes, limit is #{BYTES_MAX}" if bytes > BYTES_MAX

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

        def entry(queue, payload, due)
          Native.require_size(queue, payload)
          [(due || 0).to_f, queue.bytesize, payload.bytesize].pack("GnN") << queue.b << payload.b
        end

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
    end
  end
end
