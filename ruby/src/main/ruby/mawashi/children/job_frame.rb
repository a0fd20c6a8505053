# frozen_string_literal: true

module Mawashi
  module Children
    # A frame of jobs, as the server sends it.
    module JobFrame
      HEAD_BYTES = 14

      # @param body [String]
      # @yield [Array(Integer, String, String)] id, queue and payload of each job
      def self.each(body)
        place = 0
        while place < body.bytesize
          id, queue_bytes, bytes = body.byteslice(place, HEAD_BYTES).unpack("Q>nN")
          place += HEAD_BYTES
          queue = body.byteslice(place, queue_bytes).force_encoding(Encoding::UTF_8)
          yield [id, queue, body.byteslice(place + queue_bytes, bytes)]
          place += queue_bytes + bytes
        end
      end
    end
  end
end
