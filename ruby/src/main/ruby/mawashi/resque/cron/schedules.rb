# frozen_string_literal: true

require "mawashi/cron/jobs"
require "mawashi/resque/cron/place"
require "mawashi/resque/cron/schedule"

module Mawashi
  module Resque
    module Cron
      # The schedules that the app has: those of `Resque.schedule=` in its memory, and those of `Resque.set_schedule` with
      # `persist` in Redis (scheduling_extensions.rb).
      module Schedules
        PERSISTENT = "persistent_schedules"
        CHANGED = "schedules_changed"
        private_constant :PERSISTENT, :CHANGED

        class << self
          # Whether the app has the gem, in a version that keeps schedules so.
          def there?
            return false unless defined?(::Resque::Scheduler) && ::Resque::Scheduler.respond_to?(:enqueue_from_config)

            ::Resque.respond_to?(:persistent_schedules, true)
          end

          # Whether any may come, or one is wrong, which is to be said.
          def any?
            is_wrong = false
            dynamic? || !configs(->(*) { is_wrong = true }).empty? || is_wrong
          rescue StandardError
            # Redis does not answer.
            true
          end

          # Whether schedules in Redis count while the process runs.
          def dynamic?
            ::Resque::Scheduler.dynamic ? true : false
          end

          # Whether some were changed since the last question. Only the master asks, as with the gem.
          def changed?
            dynamic? && Place.redis.del(Place.key(CHANGED)).positive?
          end

          # @yieldparam name [String] of one that is wrong, which hides no other
          # @yieldparam error [StandardError]
          # @return [Array<Schedule>] those for the app's environment
          def all(&block)
            configs(block).filter_map do |name, config|
              schedule = Schedule.new(name.to_s, config) if here?(config)
              # Refuses a line whose time never comes.
              schedule&.after(0) && schedule
            rescue StandardError => e
              block.call(name, e)
              nil
            end
          end

          private

          def configs(refused)
            own = ::Resque.send(:non_persistent_schedules)
            stored(refused).each_with_object(own.dup) do |(name, text), found|
              found[name] = ::Resque.decode(text)
            rescue StandardError => e
              refused.call(name, e)
            end
          end

          def stored(refused)
            Place.redis.hgetall(Place.key(PERSISTENT))
          rescue StandardError => e
            raise if ::Mawashi::Cron::Jobs.unreachable?(e)

            refused.call(PERSISTENT, e)
            {}
          end

          # As `load_schedule_job` sees it.
          def here?(config)
            wanted = config.is_a?(Hash) && (config["rails_env"] || config["env"])
            !wanted || ::Resque::Scheduler.env_matches?(wanted)
          end
        end
      end
    end
  end
end
