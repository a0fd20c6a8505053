# frozen_string_literal: true

require "mawashi/job_context"
require "mawashi/own_log"

module Mawashi
  # What a slot logs around its jobs, through the job logger of the app's Sidekiq. Each slot has one of
  # its own, as each of Sidekiq's threads has, since job loggers may keep what they need between calls.
  class JobLog
    # @param sidekiq [SidekiqGem]
    # @param current_job [Proc] returns the payload of the job that runs, nil when there is none
    def initialize(sidekiq, current_job)
      @job_logger = sidekiq.new_job_logger
      @plain = sidekiq.new_job_logger(Sidekiq::JobLogger)
      @current_job = current_job
      forget
    end

    # Logs start and end of a job around the block. What comes of the job is what comes of the block, whatever
    # becomes of the log: a block that a broken job logger did not call is called without it.
    #
    # @param job [Hash] the payload
    def call(job, queue, &block)
      has_begun = error = trouble = nil
      begin
        around(job, queue) do
          has_begun = true
          block.call
        rescue Exception => e # rubocop:disable Lint/RescueException -- raised again
          error = e
          raise
        end
      rescue => e
        raise if e.equal?(error)

        trouble = e
      end
      go_on(trouble, error, has_begun, &block) if trouble
    end

    # Makes the thread's context one that knows the job that runs, should anyone look at it.
    def forget
      Thread.current[:sidekiq_context] = JobContext.new { context }
    end

    private

    def around(job, queue, &block)
      @job_logger.prepare(job) { @job_logger.call(job, queue, &block) }
    end

    def go_on(trouble, error, has_begun)
      OwnLog.say(:error, "#{trouble.class} in the job logger: #{trouble.message}")
      raise error if error

      yield unless has_begun
    end

    # What Sidekiq's own job logger says of the current job; it leaves the thread's context empty.
    def context
      job = @current_job.call or return
      kept = Thread.current[:sidekiq_context]
      found = nil
      @plain.prepare(job.except("log_level")) { found = Thread.current[:sidekiq_context].to_h }
      found
    ensure
      Thread.current[:sidekiq_context] = kept if job
    end
  end
end
