# frozen_string_literal: true

require "sidekiq/context"

module Sidekiq
  # Logs start and end of each job. An app may put one of its own in its place.
  #
  # @example
  #   Sidekiq.configure_server { |config| config[:job_logger] = MyJobLogger }
  class JobLogger
    # @param config [Sidekiq::Config] reads `:skip_default_job_logging` and `:logged_job_attributes`
    def initialize(config)
      @config = config
      @logger = config.logger
      @skip = config[:skip_default_job_logging]
    end

    # Called within {#prepare}, around the job.
    def call(_job, _queue)
      started = ::Process.clock_gettime(::Process::CLOCK_MONOTONIC)
      @logger.info { "start" } unless @skip
      yield
      ended("done", started)
    rescue Exception # rubocop:disable Lint/RescueException -- raised again
      ended("fail", started)
      raise
    end

    # Makes the thread's context that of a job, and its log level the one that the job asks for.
    def prepare(job, &block)
      Thread.current[:sidekiq_context] = context(job)
      level = job["log_level"]
      level && @logger.respond_to?(:with_level) ? @logger.with_level(level, &block) : yield
    ensure
      Thread.current[:sidekiq_context] = nil
    end

    private

    def context(job)
      known = { jid: job["jid"], class: job["wrapped"] || job["class"] }
      @config[:logged_job_attributes].each do |attribute|
        known[attribute.to_sym] = job[attribute] if job.key?(attribute)
      end
      known
    end

    def ended(how, started)
      Context.add(:elapsed, (::Process.clock_gettime(::Process::CLOCK_MONOTONIC) - started).round(3))
      @logger.info { how } unless @skip
    end
  end
end
