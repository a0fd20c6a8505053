# frozen_string_literal: true

require "mawashi/error"
require "json"

module Mawashi
  module Resque
    module Cron
      # A schedule of resque-scheduler: what the app says of it, and its times as rufus-scheduler has them, in ms since
      # 1970.
      class Schedule
        # Of `every: ["30m", {first_in: "5m"}]` (rufus-scheduler's `RepeatJob#first_at=`).
        FIRST = %w[first first_time first_at first_in].freeze
        AT_ONCE = ["now", "immediately", 0].freeze
        # They would end the schedule. A count would begin anew with each process.
        ENDS = %w[times last last_at last_in].freeze
        private_constant :FIRST, :AT_ONCE, :ENDS

        # @return [String]
        attr_reader :name

        # @return [Hash{String=>Object}] as the gem enqueues it
        attr_reader :config

        # @return [String] what tells its times from those of another line
        attr_reader :note

        # @return [Integer, nil] ms between two times; nil for a cron line's
        attr_reader :every

        # @raise [StandardError] with the reason when it is none
        def initialize(name, config)
          raise Error, "is no hash" unless config.is_a?(Hash)

          @name = name
          @config = config
          kind, value = %w[cron every].map { |key| [key, config[key]] }.find { |_, text| text && !text.empty? }
          raise Error, "has neither cron nor every" unless kind

          @note = "#{kind} #{JSON.generate(value)}"
          @text, @options = parts(value)
          raise Error, "names no class" unless job_class
          ending = ENDS.find { |key| @options.key?(key) }
          raise Error, "has #{ending}, which is not supported" if ending

          read(kind)
        end

        # @return [String] the line, as people read it
        def line
          every ? "every #{@text}" : @text
        end

        # @return [String] of the line's times
        def zone
          named = @cron.zone if @cron.respond_to?(:zone)
          named || (defined?(::EtOrbi) ? ::EtOrbi::EoTime.now.zone.name : "UTC")
        end

        # @return [String, nil]
        def job_class
          config["class"] || config["custom_job_class"]
        end

        # @return [String] "" where nobody knows
        def queue
          found = config["queue"] || ::Resque.queue_from_class(::Resque::Scheduler::Util.constantize(job_class))
          found.to_s
        rescue StandardError
          ""
        end

        # @param from [Integer] when the schedule begins
        # @return [Integer, nil] its first time, where that is given
        def first(from)
          given = @options.values_at(*FIRST).compact.first
          return if given.nil?
          # As rufus-scheduler does, a little later: that moment itself is the mark of the beginning.
          return from + 1 if AT_ONCE.include?(given)

          duration = ::Rufus::Scheduler.parse_duration(given.to_s, no_error: true)
          duration ? from + (duration * 1_000).round : (::Rufus::Scheduler.parse_at(given).to_f * 1_000).round
        end

        # @return [Integer] the first time after another
        def after(time)
          return time + every if every

          following = @cron.next_time(moment(time)) or raise Error, "has a time that never comes"
          millis(following)
        end

        # @param start [Integer] one of its times
        # @return [Integer] the last one that is not after now
        def last(start, now)
          return now - ((now - start) % every) if every

          # Of a time the line says that it was before another only from the second after it on.
          [millis(@cron.previous_time(moment(now - (now % 1_000) + 1_000))), start].max
        end

        private

        # As `optionizate_interval_value` takes it apart.
        def parts(value)
          text = value.is_a?(Array) ? value.first : value
          raise Error, "has no line" unless text.is_a?(String)

          options = value.last if value.is_a?(Array) && value.size == 2 && value.last.is_a?(Hash)
          [text, (options || {}).transform_keys(&:to_s)]
        end

        def read(kind)
          if kind == "cron"
            @cron = ::Rufus::Scheduler.parse_cron(@text, {})
          else
            @every = (::Rufus::Scheduler.parse_in(@text) * 1_000).round
            raise Error, "every #{@text} is no time" unless @every.positive?
          end
        end

        # In the zone that rufus-scheduler takes where a line names none.
        def moment(time)
          defined?(::EtOrbi) ? ::EtOrbi::EoTime.new(time / 1_000.0, nil) : Time.at(time / 1_000.0)
        end

        def millis(time)
          (time.to_f * 1_000).round
        end
      end
    end
  end
end
