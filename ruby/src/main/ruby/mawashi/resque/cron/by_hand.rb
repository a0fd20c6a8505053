# frozen_string_literal: true

require "json"
require "mawashi/error"
require "mawashi/resque/cron/marks"
require "mawashi/resque/cron/place"
require "mawashi/resque/cron/tick"

module Mawashi
  module Resque
    module Cron
      # A run that somebody asked for: the schedule's job now, by the gem's own code.
      class ByHand
        # @param schedule [Schedule]
        def initialize(schedule)
          @schedule = schedule
        end

        # @return [nil] Resque's jobs have no jid
        # @raise [Error] when a hook keeps it out
        # @raise what the gem's code raises
        def enqueue
          Tick.as_current(self) { ::Resque::Scheduler.enqueue_from_config(@schedule.config) }
          is_stored = @is_stored || Tick.elsewhere?(@schedule.config)
          raise Error, "an enqueue hook of the class kept it out" unless is_stored

          record
          nil
        end

        # Stores a job as the block does.
        def store(_)
          @is_stored = true
          yield
        end

        private

        def record
          seconds, micros = Place.redis.time
          text = JSON.generate(Marks.record("enqueued", nil, (seconds.to_i * 1_000) + (micros.to_i / 1_000)))
          Marks.add(@schedule.name, text)
        end
      end
    end
  end
end
