# frozen_string_literal: true

require "mawashi/own_log"
require "mawashi/periodic/entry"
require "mawashi/periodic/zone"

module Mawashi
  module Periodic
    # The object that `config.periodic` yields.
    class Registry
      def initialize
        @entries = {}
        @zone = ""
      end

      # Sets the zone of what is registered from now on.
      #
      # @param zone [ActiveSupport::TimeZone, TZInfo::Timezone, String]
      # @raise [ArgumentError] when it is none
      def tz=(zone)
        @zone = Zone.name(zone)
      end

      # @param schedule [String] a line of cron's
      # @param klass [String, Class] of the job
      # @param options [Hash] of the job, in place of what its class says; also :args and :tz
      # @return [String] the entry's id
      # @raise [ArgumentError] with the reason when one of them is none
      # @example
      #   mgr.register("*/5 * * * *", "SomeJob", retry: 2, queue: "low", args: [1])
      def register(schedule, klass, options = {})
        entry = Entry.new(schedule, klass, options, zone: @zone, place: place(caller_locations(1, 1).first))
        # As in Enterprise, an entry is what it says, so one that comes again is the same.
        before = @entries[entry.lid]
        return (@entries[entry.lid] = entry).lid unless before

        OwnLog.say(:warn, "#{entry.label}: is registered at #{before.place} too, and counts once")
        before.lid
      end

      # @return [Array<Entry>] in the order of their coming
      def entries
        @entries.values
      end

      private

      def place(location)
        path = location.path.b.delete_prefix("#{Dir.pwd}/".b).force_encoding(Encoding::UTF_8).scrub("?")
        "#{path}:#{location.lineno}"
      end
    end
  end
end
