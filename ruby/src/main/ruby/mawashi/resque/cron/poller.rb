# frozen_string_literal: true

require "mawashi/own_log"
require "mawashi/resque/cron/firing"
require "mawashi/resque/cron/place"
require "mawashi/resque/cron/schedules"
require "mawashi/resque/cron/sending"

module Mawashi
  module Resque
    # The schedules of an app's gem resque-scheduler, whose own process need not run.
    module Cron
      # The thread that enqueues the jobs of schedules. Of the processes of a server one has it, see {Lifecycle}.
      class Poller
        # At most so long until the lock is looked at, and what operators ask for.
        PAUSE_SECONDS = 2
        STOP_SECONDS = 5
        private_constant :PAUSE_SECONDS, :STOP_SECONDS

        # Has the server have it from its start until its stop, where the app has the gem.
        #
        # @param sidekiq [SidekiqGem]
        # @param namespace [String] of the Resque queues on which the server works
        def self.join(sidekiq, namespace)
          return unless Schedules.there?

          unless Place.namespace == namespace
            return OwnLog.say(:warn, "resque-scheduler: the app's Resque has the namespace #{Place.namespace}, and this server " \
                                     "works on #{namespace}: its schedules are not run (set it with --resque-namespace)")
          end
          poller = new
          (sidekiq.lifecycle_events[:startup] ||= []) << -> { poller.start }
          (sidekiq.lifecycle_events[:shutdown] ||= []) << -> { poller.stop }
        end

        def initialize(firing = Firing.new)
          @firing = firing
          @mutex = Mutex.new
          @stop = ConditionVariable.new
        end

        # Returns at once.
        def start
          return unless Schedules.any?

          ::Resque::DataStore.prepend(Sending) if defined?(::Resque::DataStore)
          @thread = Thread.new { run }
        end

        # Waits a moment for what is under way.
        def stop
          @mutex.synchronize do
            @firing.stop
            @is_stopping = true
            @stop.signal
          end
          @thread&.join(STOP_SECONDS)
        end

        private

        def run
          Thread.current.name = "mawashi-resque-cron"
          pause(@firing.step || PAUSE_SECONDS) until @is_stopping
          @firing.leave
        end

        def pause(seconds)
          @mutex.synchronize { @stop.wait(@mutex, seconds.clamp(0.001, PAUSE_SECONDS)) unless @is_stopping }
        end
      end
    end
  end
end
