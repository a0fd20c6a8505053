# frozen_string_literal: true

require "json"
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

        # @return [String] `+`, or `-` and the reason why there is no job
        def enqueue
          Tick.as_current(self) { ::Resque::Scheduler.enqueue_from_config(@schedule.config) }
          return "-an enqueue hook of the class kept it out" unless @is_stored || Tick.elsewhere?(@schedule.config)

          record
          "+"
        rescue StandardError, ScriptError => e
          "-#{e.class}: #{e.message.lines.first&.chomp}"
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
