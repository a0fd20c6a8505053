# frozen_string_literal: true

require "mawashi/resque/cron/schedule"
require "time"

module Mawashi
  module Resque
    module Cron
      # The course of a schedule, which has come as far as its mark: the last time that was decided. Times are ms since 1970.
      class Course
        # A mark further ahead of Redis's clock is not believed.
        AHEAD_MS = 24 * 60 * 60 * 1_000
        private_constant :AHEAD_MS

        # @return [Schedule]
        attr_reader :schedule

        # @return [Integer] when to look at it next
        attr_accessor :look

        # @return [String, nil] when a job was enqueued last, as the gem writes that
        attr_reader :last

        # @param mark [Hash] as {#mark} wrote it; another line's or none for a schedule that begins
        # @param last [String, nil] when its job was enqueued last, be it by a resque-scheduler
        def initialize(schedule, mark, last, now)
          @schedule = schedule
          @last = last
          seen = seconds(last)
          known = mark["note"] == schedule.note && mark["tick"].is_a?(Integer) && mark["tick"] <= now + AHEAD_MS
          known ? resume(mark, seen) : start(seen, now)
          @look = following
        end

        # Whether it began just now, so that others need to know.
        def begun?
          @is_begun == true
        end

        # @return [Integer] its next time
        def following
          @first || @schedule.after(@decided)
        end

        # @return [Integer, nil] the last time that is due and was not decided
        def due(now)
          start = following
          @schedule.last(start, now) if start <= now
        end

        # @param last [String, nil] see {#last}
        def decided(tick, last)
          @decided = tick
          @last = last
          @first = nil
          @look = following
        end

        # @return [Hash] the mark of a schedule that begins
        def beginning
          mark(@decided, @last).merge({ "first" => @first }.compact)
        end

        # @return [Hash] the mark of a time
        def mark(tick, last)
          { "tick" => tick, "note" => @schedule.note, "at" => last }.compact
        end

        private

        # A resque-scheduler that was master meanwhile has noted its last time.
        def resume(mark, seen)
          @decided = mark["tick"]
          @first = mark["first"]
          return if @last == mark["at"] || seen.nil? || seen <= @decided

          @decided = seen
          @first = nil
        end

        # What comes at intervals goes on from where a resque-scheduler has left it.
        def start(seen, now)
          @is_begun = true
          @decided = now
          goes_on = seen && @schedule.every && seen <= now && seen + @schedule.every > now
          @first = goes_on ? seen + @schedule.every : @schedule.first(now)
        end

        def seconds(text)
          text && (Time.parse(text).to_f * 1_000).round
        rescue ArgumentError
          nil
        end
      end
    end
  end
end
