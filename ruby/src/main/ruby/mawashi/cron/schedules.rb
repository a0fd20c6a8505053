# frozen_string_literal: true

require "mawashi/cron/jobs"

module Mawashi
  module Cron
    # The gem's schedules as they were read last, and when each is to be looked at. One thread's.
    class Schedules
      # The system's clock was set if it has gone so much faster or slower than time.
      SET_SECONDS = 1
      private_constant :SET_SECONDS

      # A schedule.
      #
      # due:: when to look at it; nil for never
      Entry = Struct.new(:cron, :status, :due)
      private_constant :Entry

      def initialize
        @entries = {}
      end

      # Reads all when it is time to. Those that are new or were changed are due at once: their last time may count.
      #
      # @yieldparam key [String] of what cannot be read
      # @yieldparam error [StandardError]
      def refresh(&block)
        look_at_clock
        return if @read_at && monotonic - @read_at < Jobs.poll_seconds

        Jobs.take_over unless @read_at
        Jobs.publish
        found = Jobs.lines(&block)
        @entries.select! { |key, _| found.key?(key) }
        found.each { |key, (cron, status)| read(key, cron, status) }
        @read_at = monotonic
      end

      # @return [Array<String>] the keys of those that are to be looked at
      def due
        now = Time.now
        @entries.filter_map { |key, entry| key if entry.due && entry.due <= now }
      end

      # @return [Float, nil] seconds until the next one is; nil for never
      def wait
        first = @entries.each_value.filter_map(&:due).min
        first && (first - Time.now)
      end

      # @param time [Time, nil] when to look at it next
      def set(key, time)
        @entries[key].due = time
      end

      # It is gone.
      def drop(key)
        @entries.delete(key)
      end

      private

      def read(key, cron, status)
        entry = @entries[key]
        return if entry && entry.cron == cron && entry.status == status

        # As the gem has it: enabled, where nothing says otherwise.
        @entries[key] = Entry.new(cron, status, (Time.now if (status || "enabled") == "enabled"))
      end

      # What is due by the old clock may be due sooner by the new one.
      def look_at_clock
        offset = Time.now.to_f - monotonic
        @entries.each_value { |entry| entry.due &&= Time.now } if @offset && (offset - @offset).abs > SET_SECONDS
        @offset = offset
      end

      def monotonic
        Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end
    end
  end
end
