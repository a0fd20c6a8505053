# frozen_string_literal: true

require "mawashi/cron/asked"
require "mawashi/cron/jobs"
require "mawashi/cron/schedules"
require "mawashi/cron/sending"
require "mawashi/cron/tick"
require "mawashi/error_handlers"
require "mawashi/own_log"

module Mawashi
  module Cron
    # Enqueues the jobs of sidekiq-cron's schedules when they are due, in the place of the gem's poller. Of the
    # processes of a server one does, see {Lifecycle}; any number of servers may, and Sidekiqs beside them.
    #
    # It reads all schedules as often as the gem's poller, and each again when it is due. So a change that comes between
    # counts too, but for a line that is due sooner.
    class Poller
      # At most so long until the system's clock is looked at, and what operators ask for.
      PAUSE_SECONDS = 2
      # A job that could not be enqueued, or that another process is about to, is looked at again after so long.
      AGAIN_SECONDS = Tick::CLAIM_SECONDS + 1
      STOP_SECONDS = 5
      SAID_MAX = 1_000
      REQUESTS = "mw:cron:asked"
      private_constant :REQUESTS, :PAUSE_SECONDS, :AGAIN_SECONDS, :STOP_SECONDS, :SAID_MAX

      # Has the server do so from its start until its stop, where the app has the gem.
      #
      # @param sidekiq [SidekiqGem]
      def self.join(sidekiq)
        return unless Jobs.there?

        poller = new(ErrorHandlers.new(sidekiq))
        (sidekiq.lifecycle_events[:startup] ||= []) << -> { poller.start }
        (sidekiq.lifecycle_events[:shutdown] ||= []) << -> { poller.stop }
      end

      # @param error_handlers [#call] hear what enqueueing raises
      def initialize(error_handlers)
        @error_handlers = error_handlers
        @schedules = Schedules.new
        @said = {}
        @lock = Mutex.new
        @stop = ConditionVariable.new
      end

      # Returns at once.
      def start
        return unless Jobs.poll_seconds.positive?

        ::Sidekiq::Client.prepend(Sending)
        @thread = Thread.new { run }
      end

      # Waits a moment for what is under way.
      def stop
        @lock.synchronize do
          @is_stopping = true
          @stop.signal
        end
        @thread&.join(STOP_SECONDS)
      end

      # @return [Float] seconds until the next step
      def step
        @schedules.refresh { |key, error| say(key, error) }
        @schedules.due.each { |key| look(key) unless @is_stopping }
        Asked.serve(REQUESTS) { |key| by_hand(key) }
        @said.delete("all")
        @schedules.wait || PAUSE_SECONDS
      rescue StandardError => e
        say("all", e)
        PAUSE_SECONDS
      end

      private

      def run
        Thread.current.name = "mawashi-gem-cron"
        pause(step) until @is_stopping
      end

      def pause(seconds)
        @lock.synchronize { @stop.wait(@lock, seconds.clamp(0.001, PAUSE_SECONDS)) unless @is_stopping }
      end

      def look(key)
        @schedules.set(key, nil)
        job = Jobs.find(key)
        return @schedules.drop(key) unless job
        raise Error, job.errors.join(", ") unless job.valid?

        @schedules.set(key, Time.now + AGAIN_SECONDS)
        @schedules.set(key, next_look(job))
        @said.delete(key)
      rescue StandardError, ScriptError => e
        @schedules.set(key, Time.now) if Jobs.unreachable?(e)
        raise if Jobs.unreachable?(e)

        say(key, e)
      end

      # Enqueues the job if it is due. To the gem a line that names no zone is in UTC.
      def next_look(job)
        now = Time.now.utc
        following = Time.at(job.send(:parsed_cron).next_time(now).to_f)
        is_taken = Tick.due(job, now)&.enqueue == :taken
        is_taken ? [following, now + AGAIN_SECONDS].min : following
      end

      def by_hand(key)
        job = Jobs.find(key) or raise Error, "the schedule is gone"
        raise Error, job.errors.join(", ") unless job.valid?

        Notes.enqueue(job)
        # A job of another adapter may have none.
        return job.mawashi_jid if job.mawashi_jid || Tick.new(job, nil).elsewhere?

        raise Error, "an equal job holds its lock" if job.mawashi_locked?

        raise Error, "client middleware or a callback of the app kept it out"
      end

      # Says each problem once, until it is over or another.
      def say(name, error)
        text = "sidekiq-cron: #{name}: #{error.message}"
        return if @said[name] == text

        @said.clear if @said.size >= SAID_MAX
        @said[name] = text
        return OwnLog.say(:error, text) if error.is_a?(Error) || Jobs.unreachable?(error)

        @error_handlers.call(error, context: "Exception in sidekiq-cron: #{name}")
      end
    end
  end
end
