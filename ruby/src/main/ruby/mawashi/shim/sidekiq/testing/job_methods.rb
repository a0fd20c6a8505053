# frozen_string_literal: true

module Sidekiq
  module Job
    # The further methods of job classes, in tests.
    module ClassMethods
      def queue
        get_sidekiq_options["queue"]
      end

      # @return [Array<Hash>] payloads of this class's jobs that were enqueued
      # @example
      #   AddJob.jobs.first["args"] # => [1, 2]
      def jobs
        Queues.jobs_by_class[to_s]
      end

      def clear
        Queues.clear_for(queue, to_s)
      end

      # Runs this class's jobs, and those that they enqueue, until there are none.
      def drain
        perform_one while jobs.any?
      end

      # Runs the oldest job.
      #
      # @raise [EmptyQueueError] when there is none
      def perform_one
        raise EmptyQueueError, "perform_one called with empty job queue" if jobs.empty?

        job = jobs.first
        Queues.delete_for(job["jid"], job["queue"], to_s)
        process_job(job)
      end

      # Runs a job from its payload, through `Testing.server_middleware`.
      def process_job(job)
        instance = new
        instance.jid = job["jid"]
        instance.bid = job["bid"] if instance.respond_to?(:bid=)
        Testing.server_middleware.invoke(instance, job, job["queue"]) { execute_job(instance, job["args"]) }
      end

      def execute_job(instance, args)
        instance.perform(*args)
      end
    end

    class << self
      # @return [Array<Hash>] payloads of all jobs
      def jobs
        Queues.jobs_by_queue.values.flatten
      end

      def clear_all
        Queues.clear_all
      end

      # Runs jobs of all classes until there are none.
      def drain_all
        jobs.map { |job| job["class"] }.uniq.each { |name| Object.const_get(name).drain } while jobs.any?
      end
    end
  end
end
