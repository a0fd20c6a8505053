# frozen_string_literal: true

module Mawashi
  module Resque
    module Cron
      # The app's own connection to Resque's Redis, and the names of the keys there: resque-scheduler's, and ours. The
      # connection is asked below the app's namespace, so that scripts may name keys of both kinds.
      module Place
        PAUSED = "mw:cron:paused"
        LISTED = "mw:cron:resque"
        private_constant :LISTED

        class << self
          # @return [Redis]
          def redis
            ::Resque.redis.redis
          end

          # @return [String]
          def namespace
            ::Resque.redis.namespace.to_s
          end

          # @return [String] one of Resque's keys
          def key(name)
            "#{namespace}:#{name}"
          end

          # The gem puts the namespace before it twice (locking.rb, `master_lock_key`).
          def master_lock
            key(::Resque::Scheduler.send(:master_lock_key))
          end

          # Hash: schedule to the time at which its job was enqueued last (delaying_extensions.rb).
          def last_enqueued
            key("delayed:last_enqueued_at")
          end

          # Hash: schedule to its mark.
          def marks
            "mw:{#{namespace}}:cron"
          end

          # List of requests to enqueue a schedule's job.
          def requests
            "mw:{#{namespace}}:cron:asked"
          end

          # @return [Array<String>] the set of namespaces with schedules that servers have, and those of this one
          def listed
            [LISTED, "#{LISTED}:#{namespace}"]
          end

          # @return [String] a schedule's name as others see it
          def shown(name)
            "#{namespace}:#{name}"
          end

          # @return [String] list of a schedule's last runs
          def runs(name)
            "mw:cron:runs:#{shown(name)}"
          end

          # @return [Object] what a script returns
          def run(script, keys, words)
            redis.eval(script, keys, words)
          end
        end
      end
    end
  end
end
