# frozen_string_literal: true

require "digest/sha2"
require "json"
require "mawashi/class_options"
require "mawashi/periodic/zone"

module Mawashi
  module Periodic
    # A job that comes again and again, as the app registered it. The server reads the line.
    class Entry
      LID_LENGTH = 10
      private_constant :LID_LENGTH

      # The line of cron's.
      attr_reader :schedule
      # The name of the job's class.
      attr_reader :klass
      # The other options that the app gave, by their names as texts, without the zone.
      attr_reader :options
      # The name of the zone; "" for the process's.
      attr_reader :tz
      # File and line.
      attr_reader :place
      # The same for the same entry.
      attr_reader :lid

      # @param zone [String] where the options have none
      # @param place [String] see {#place}
      # @raise [ArgumentError] with the reason when a part is none
      def initialize(schedule, klass, options, zone:, place:)
        @schedule = schedule
        @klass = klass.is_a?(Module) ? klass.name : klass
        @place = place
        require_texts
        raise ArgumentError, "#{label}: options are #{options.inspect}, must be a Hash" unless options.is_a?(Hash)

        @options = options.transform_keys(&:to_s)
        @tz = zone_of(zone)
        require_options
        @lid = Digest::SHA256.hexdigest(text)[0, LID_LENGTH]
      end

      # How messages name it.
      def label
        "#{place}: config.periodic: #{klass.inspect} at #{schedule.inspect}"
      end

      # @return [Hash{String=>Object}] a schedule for the server
      def fields
        {
          "name" => "periodic:#{klass}:#{lid}", "cron" => schedule, "zone" => tz.empty? ? Zone.of_process : tz,
          "class" => klass, "queue" => options["queue"].to_s, "args" => options.fetch("args", []),
          "options" => ClassOptions.kept(options), "label" => label, "description" => "config.periodic, #{place}"[0, 500]
        }
      end

      private

      def text
        JSON.generate([schedule, klass, options, tz])
      rescue JSON::JSONError, EncodingError => e
        raise ArgumentError, "#{label}: cannot be written as JSON: #{e.message}"
      end

      def require_texts
        return if [schedule, klass].all? { |text| text.is_a?(String) && !text.strip.empty? }

        raise ArgumentError, "#{label}: register(\"0 4 * * *\", \"NightlyJob\") takes a line of cron's and a class"
      end

      def zone_of(zone)
        @options.key?("tz") ? Zone.name(@options.delete("tz")) : zone
      rescue ArgumentError => e
        raise ArgumentError, "#{label}: #{e.message}"
      end

      def require_options
        args, tries = @options.values_at("args", "retry")
        raise ArgumentError, "#{label}: args are #{args.inspect}, must be an Array" unless args.nil? || args.is_a?(Array)
        return if [nil, true, false].include?(tries) || (tries.is_a?(Integer) && tries >= 0)

        raise ArgumentError, "#{label}: retry is #{tries.inspect}, must be true, false or a number, 0 or more"
      end
    end
  end
end
