# frozen_string_literal: true

require "mawashi/cron/jobs"
require "mawashi/cron/marks"
require "mawashi/cron/notes"
require "mawashi/gem_client"
require "time"

module Mawashi
  module Cron
    # A time at which a schedule's job is due. The gem's own code enqueues it, with client middleware and Active Job's
    # callbacks; {Sending} has it set the mark together with the job.
    class Tick
      # How long nobody else begins to enqueue the job.
      CLAIM_SECONDS = 10

      HERE = :mawashi_cron_tick
      private_constant :HERE

      # @return [Tick, nil] whose job this thread enqueues
      def self.current
        Thread.current[HERE]
      end

      # By the rules of the gem's poller: the last time counts if it is not too old, and nobody has enqueued the job
      # since then.
      #
      # @param job [Sidekiq::Cron::Job] a valid one
      # @param now [Time] in UTC
      # @return [Tick, nil] what is due
      def self.due(job, now)
        return unless job.status == "enabled"

        # Of a time the gem says that it was before another only from the second after it on.
        moment = job.last_time(now + 1)
        return if now.to_i - moment.to_i > Jobs.grace_seconds
        return if job.last_enqueue_time && job.last_enqueue_time.to_i >= moment.to_i

        new(job, moment)
      end

      def initialize(job, moment)
        @job = job
        @marks = job.send(:job_enqueued_key)
        @moment = moment
        @depth = 0
      end

      # Enqueues the job, unless this time has its mark.
      #
      # @return [Symbol] :enqueued, :past, or :taken when another process is about to enqueue it
      def enqueue
        answer = Marks.run(::Sidekiq.redis_pool, Marks::CLAIM, [@marks, "mw:cron:claim:#{@marks}:#{name}"], claim_words)
        return answer.to_sym unless answer == "ours"

        catch(self) do
          as_current { enqueue_and_mark }
          return :enqueued
        end
        :past
      end

      # Calls the block for a push of the job or, while that is under way, of another one.
      def pushing
        @depth += 1
        yield
      ensure
        @depth -= 1
      end

      # Whether that is the schedule's own job, and not one that a middleware or a callback enqueues beside it.
      def own?(payloads)
        return false if @is_marked || @depth != 1 || payloads.size != 1

        !@job.is_active_job? || names.include?(payloads.first["wrapped"].to_s)
      end

      # Whether the mark can be set together with this job: both go into the same Redis, and the job into a queue. One
      # with a lock has a script of its own.
      def joins?(payload, pool)
        GemClient.plain? && pool.equal?(::Sidekiq.redis_pool) && !payload.key?("at") && !GemClient.locked?([payload])
      end

      # Sets the mark, and stores the job with it. Leaves what enqueues it when another was faster.
      #
      # @param queue [String]
      # @param text [String] the job
      def mark(queue = nil, text = nil)
        keys = [@marks, *("queues" if queue), *("queue:#{queue}" if queue)]
        words = [name, @moment.to_f.to_s, *queue, *text]
        throw(self) unless Marks.run(::Sidekiq.redis_pool, Marks::MARK, keys, words) == "marked"
        @is_marked = true
      end

      # Whether another adapter of ActiveJob than Sidekiq's gets the job.
      def elsewhere?
        adapter = type.queue_adapter if @job.is_active_job? && type.respond_to?(:queue_adapter)
        !adapter.nil? && !adapter.class.name.to_s.end_with?("SidekiqAdapter")
      end

      private

      # As the gem writes it.
      def name
        @moment.getutc.iso8601
      end

      def claim_words
        [name, (CLAIM_SECONDS * 1_000).to_s]
      end

      def as_current
        Thread.current[HERE] = self
        yield
      ensure
        Thread.current[HERE] = nil
      end

      # What goes elsewhere has its mark before, as with the gem: then no time is enqueued twice.
      def enqueue_and_mark
        mark if elsewhere?
        Notes.enqueue(@job)
        # A middleware has stopped it.
        mark unless @is_marked
        now = Time.now.utc
        return @job.remove_previous_enqueues(now) if @job.respond_to?(:remove_previous_enqueues)

        @job.remove_previous_enques(now)
      end

      def names
        [@job.klass.to_s.delete_prefix("::"), type&.name]
      end

      def type
        Object.const_get(@job.klass.to_s)
      rescue NameError
        nil
      end
    end
  end
end
