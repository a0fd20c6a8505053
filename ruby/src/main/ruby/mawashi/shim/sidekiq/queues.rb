# frozen_string_literal: true

module Sidekiq
  # The jobs that `Sidekiq::Testing.fake!` keeps.
  module Queues
    class << self
      # @example
      #   Sidekiq::Queues["default"].map { |job| job["args"] }
      def [](queue)
        jobs_by_queue[queue]
      end

      def push(queue, job_class, job)
        jobs_by_queue[queue] << job
        jobs_by_class[job_class] << job
      end

      def jobs_by_queue
        @jobs_by_queue ||= Hash.new { |jobs, queue| jobs[queue] = [] }
      end

      def jobs_by_class
        @jobs_by_class ||= Hash.new { |jobs, job_class| jobs[job_class] = [] }
      end
      alias jobs_by_worker jobs_by_class

      def delete_for(jid, queue, job_class)
        [jobs_by_queue[queue.to_s], jobs_by_class[job_class]].each { |jobs| jobs.delete_if { |job| job["jid"] == jid } }
      end

      def clear_for(queue, job_class)
        jobs_by_queue[queue.to_s].clear
        jobs_by_class[job_class].clear
      end

      def clear_all
        jobs_by_queue.clear
        jobs_by_class.clear
      end
    end
  end
end
