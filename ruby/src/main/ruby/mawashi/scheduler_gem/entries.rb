# frozen_string_literal: true

require "json"

module Mawashi
  class SchedulerGem
    # Goes before the gem's methods of `Sidekiq` itself. An entry that is none stops no other.
    module Entries
      def schedule=(entries)
        # A gem of 5.x would drop what the app has set at run time.
        return if SchedulerGem.current && ::SidekiqScheduler::Scheduler.instance.mawashi_goes_on?

        super((entries || {}).select { |name, entry| mawashi_entry?(name, entry) })
      end

      def get_all_schedules # rubocop:disable Naming/AccessorMethodName -- the gem's
        super.select { |name, entry| mawashi_entry?(name, entry) }
      rescue JSON::ParserError
        ::SidekiqScheduler::RedisManager.get_all_schedules.each_with_object({}) do |(name, text), found|
          entry = mawashi_parsed(name, text)
          found[name] = entry if entry && mawashi_entry?(name, entry)
        end
      end

      private

      # The gem's: it loads the class.
      def infer_queue(name)
        super
      rescue StandardError, ScriptError => e
        SchedulerGem.say(name, e)
        nil
      end

      def mawashi_entry?(name, entry)
        return true if entry.is_a?(Hash)

        SchedulerGem.say(name, Error.new("is no entry: write `#{name}: {cron: \"* * * * *\", class: SomeJob}`"))
        false
      end

      def mawashi_parsed(name, text)
        JSON.parse(text)
      rescue JSON::ParserError => e
        SchedulerGem.say(name, e)
        nil
      end
    end
  end
end
