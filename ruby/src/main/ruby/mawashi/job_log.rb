# frozen_string_literal: true

require "mawashi/job_context"
require "mawashi/job_lines"
require "mawashi/own_log"
require "mawashi/stock_log"

module Mawashi
  # The lines that a slot logs around its jobs, as the job logger of the app's Sidekiq does it: by itself where that is
  # Sidekiq's own, see {StockLog}, else by calling it. Each slot has one of its own, as each of Sidekiq's threads has, since
  # job loggers may keep what they need between calls.
  class JobLog
    # Fields of a payload that Sidekiq up to 7 logs if they are there.
    FIELDS = %w[display_class bid tags].freeze
    private_constant :FIELDS

    # @param sidekiq [SidekiqGem]
    # @param current_job [Proc] returns the payload of the job that runs, nil when there is none
    def initialize(sidekiq, current_job)
      @job_logger = sidekiq.new_job_logger
      @plain = sidekiq.new_job_logger(Sidekiq::JobLogger)
      logger = @job_logger.instance_variable_get(:@logger)
      @logger = logger if logger.instance_of?(Sidekiq::Logger)
      @current_job = current_job
      @jobs = 0
      forget
    end

    # Logs start and end of a job around the block. What comes of the job is what comes of the block, whatever
    # becomes of the log: a block that a broken job logger did not call is called without it.
    #
    # @param job [Hash] the payload
    def call(job, queue, &block)
      began = now
      return write_around(began, &block) if !job["log_level"] && lines&.start(job)

      call_around(job, queue, &block)
    ensure
      forget unless fresh?
    end

    # A job begins. The app may have set another formatter or level since the last one.
    #
    # @return [JobLines, nil] nil where the job logger is to be called
    def lines
      forget unless fresh?
      # A fork has no second job, and to learn costs more than to call the job logger once.
      return unless @logger && (@jobs += 1) > 1

      formatter = @logger.formatter
      learn(formatter) unless formatter.equal?(@formatter)
      @lines if @lines && @logger.info?
    end

    # Logs the end of another job, with the seconds that it took, through the logger.
    def end_in_context(well, seconds)
      Sidekiq::Context.add(:elapsed, seconds)
      @logger.info(well ? "done" : "fail")
    rescue StandardError => e
      OwnLog.say(:error, "#{e.class} in the logger: #{e.message}")
    end

    # Whether the job's end is for {#lines} too: nobody has looked at its log context, or changed that or the logger.
    def plain_end?
      fresh? && @logger.formatter.equal?(@formatter) && @logger.info?
    end

    # Makes the thread's context one that knows the job that runs, should anyone look at it.
    def forget
      @is_asked = false
      Thread.current[:sidekiq_context] = @context = JobContext.new { context }
    end

    private

    def learn(formatter)
      @formatter = formatter
      @lines = nil
      return unless StockLog.of?(@job_logger, @logger)

      forms = %w[start done fail].map { |message| LogForm.learn(message, @job_logger, formatter) }
      forget
      fields = @job_logger.instance_variable_get(:@config)&.[](:logged_job_attributes) || FIELDS
      @lines = JobLines.new(@logger, forms, fields.map(&:to_s)) if forms.all?
    end

    def write_around(began)
      yield
      ended(true, began)
    rescue Exception # rubocop:disable Lint/RescueException -- raised again
      ended(false, began)
      raise
    end

    def ended(well, began)
      seconds = (now - began).round(3)
      plain_end? ? @lines.end(well, seconds) : end_in_context(well, seconds)
    end

    def fresh?
      !@is_asked && Thread.current[:sidekiq_context].equal?(@context)
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    def call_around(job, queue, &block)
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
      @is_asked = true
      kept = Thread.current[:sidekiq_context]
      found = nil
      @plain.prepare(job.except("log_level")) { found = Thread.current[:sidekiq_context].to_h }
      found
    ensure
      Thread.current[:sidekiq_context] = kept if job
    end
  end
end
