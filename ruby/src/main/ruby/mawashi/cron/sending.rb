# frozen_string_literal: true

require "mawashi/cron/tick"
require "mawashi/gem_client"

module Mawashi
  module Cron
    # Goes before the methods of the gem's client. Whatever is no job of a schedule goes on unchanged.
    module Sending
      # See the gem's.
      def push(item)
        tick = Tick.current
        tick ? tick.pushing { super } : super
      end

      private

      def raw_push(payloads)
        tick = Tick.current
        return super unless tick&.own?(payloads)

        unless tick.joins?(payloads.first, @redis_pool)
          tick.mark
          return super
        end

        recorder = GemClient::Recorder.new(payloads.first["queue"])
        atomic_push(recorder, payloads)
        queue, text, = recorder.jobs.first
        tick.mark(queue, text)
        true
      end
    end
  end
end
