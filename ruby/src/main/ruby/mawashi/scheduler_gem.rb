# frozen_string_literal: true

require "mawashi/cron/asked"
require "mawashi/error"
require "mawashi/error_handlers"
require "mawashi/namespaced_calls"
require "mawashi/own_log"
require "mawashi/scheduler_gem/entries"
require "mawashi/scheduler_gem/firing"
require "mawashi/scheduler_gem/marks"
require "mawashi/scheduler_gem/turn"

module Mawashi
  # The gem sidekiq-scheduler. Its own code fires its schedules, by threads of the gem rufus-scheduler, in one process of
  # each server, see {Lifecycle}. When that process ends another begins anew, and catches up on the time between.
  class SchedulerGem
    PAUSE_SECONDS = 2
    STOP_SECONDS = 5
    PUBLISHED_SECONDS = 7 * 24 * 60 * 60
    PUBLISH_EVERY = 300
    REQUESTS = "mw:cron:asked:scheduler"
    PLACES = "mw:cron:scheduler"
    private_constant :PAUSE_SECONDS, :STOP_SECONDS, :PUBLISHED_SECONDS, :PUBLISH_EVERY, :REQUESTS, :PLACES

    class << self
      # @return [SchedulerGem, nil] where it is this process's turn to fire
      attr_reader :current

      # Has the server do so, where the app has the gem. Its schedules begin after the app's own blocks for the start.
      #
      # @param sidekiq [SidekiqGem]
      def join(sidekiq)
        return unless defined?(::SidekiqScheduler::Scheduler) && defined?(::SidekiqScheduler::RedisManager)

        prepend_all
        # What the app began while it was loaded is not for the process that loads it.
        ::SidekiqScheduler::Scheduler.instance.instance_variable_get(:@rufus_scheduler)&.stop
        events = sidekiq.lifecycle_events
        scheduler = nil
        (events[:startup] ||= []).unshift(-> { scheduler = @current = new(sidekiq).start })
        (events[:shutdown] ||= []) << -> { scheduler.stop }
      end

      # Says what is wrong with an entry, in one line.
      def say(name, error)
        OwnLog.say(:error, "sidekiq-scheduler: #{name}: #{error.message.lines.first&.chomp}")
      end

      private

      def prepend_all
        ::SidekiqScheduler::Scheduler.prepend(Firing)
        ::SidekiqScheduler::RedisManager.singleton_class.prepend(Marks)
        ::Sidekiq.singleton_class.prepend(Entries)
      end
    end

    # @return [Turn]
    attr_reader :turn

    # @param sidekiq [SidekiqGem]
    def initialize(sidekiq)
      @turn = Turn.new(sidekiq.lifecycle.turn)
      @error_handlers = ErrorHandlers.new(sidekiq)
      @lock = Mutex.new
      @stop = ConditionVariable.new
      @steps = 0
    end

    # Returns at once.
    #
    # @return [SchedulerGem] itself
    def start
      @thread = Thread.new { run }
      self
    end

    # Waits a moment for what is under way.
    def stop
      @lock.synchronize do
        @is_stopping = true
        @stop.signal
      end
      @thread.join(STOP_SECONDS)
    end

    # Reports what a schedule's job raised while it was enqueued.
    def raised(error)
      @error_handlers.call(error, context: "Exception in sidekiq-scheduler")
    end

    # One look at what people want.
    def step
      @turn.hold
      publish if (@steps % PUBLISH_EVERY).zero?
      @steps += 1
      Cron::Asked.serve(REQUESTS) { |name| by_hand(name) }
      @said = nil
    rescue StandardError => e
      self.class.say("all", e) unless @said == e.message
      @said = e.message
    end

    private

    def run
      Thread.current.name = "mawashi-gem-scheduler"
      until @is_stopping
        step
        @lock.synchronize { @stop.wait(@lock, PAUSE_SECONDS) unless @is_stopping }
      end
    end

    # Where people who look find the schedules, and the zone of lines that name none.
    def publish
      place = ::SidekiqScheduler::RedisManager.schedules_key
      ::Sidekiq.redis do |connection|
        NamespacedCalls.on(connection).pipelined do |pipeline|
          pipeline.call("HSET", PLACES, place, ::EtOrbi.determine_local_tzone&.name.to_s)
          pipeline.call("EXPIRE", PLACES, PUBLISHED_SECONDS)
        end
      end
    end

    # As the gem's tab does.
    def by_hand(name)
      text = ::SidekiqScheduler::RedisManager.get_job_schedule(name) or raise Error, "the schedule is gone"
      entry = ::SidekiqScheduler::Utils.sanitize_job_config(JSON.parse(text))
      job = ::SidekiqScheduler::Scheduler.instance.enqueue_job(entry)
      raise Error, "a lock, client middleware or a callback of the app kept it out" unless job

      job.respond_to?(:provider_job_id) ? job.provider_job_id : job
    end
  end
end
