# frozen_string_literal: true

require "mawashi/arguments"
require "mawashi/class_lookup"
require "mawashi/death"
require "mawashi/error_handlers"
require "mawashi/failed_job"
require "mawashi/held"
require "mawashi/past_run"

module Mawashi
  # Asks the app what it wants done about a job that raised.
  class Failure
    RETRY_IN = "Failure scheduling retry using the defined `sidekiq_retry_in`"
    RAISED = "Job raised exception"
    private_constant :RETRY_IN, :RAISED

    # @param sidekiq [SidekiqGem]
    def initialize(sidekiq)
      @sidekiq = sidekiq
      @error_handlers = ErrorHandlers.new(sidekiq)
      @death = Death.new(sidekiq, @error_handlers)
    end

    # @param job_class [Class, nil] the class that was to run, nil when it was not found
    # @param job [Hash] the payload as the run has left it, which error handlers see
    # @param error [Exception]
    # @param original [Hash] the payload as it came, which is what is tried again
    # @return [Array(Object, Object, Array<String>)] the class's `retry` option; what `sidekiq_retry_in` wants: a
    #   positive number of seconds, `:discard`, `:kill`, `:hold` or nil; the backtrace to be kept, nil for all of it
    def hint(job_class, job, error, original = job)
      return [true, :hold, []] if error.is_a?(Held)

      option = job_class ? job_class.get_sidekiq_options["retry"] : true
      @error_handlers.call(error, context: RAISED, job: job)
      trace = cleaned(original, error)
      [option, (in_app { wish(job_class, original, error, option, trace) } if job_class), trace]
    end

    # Reports to the error handlers a failure that no process of the app has seen: the job's process is gone, or
    # its thread is stuck in the job.
    #
    # @param job [Hash] the payload with what is known of the failure
    def lost(job)
      @error_handlers.call(PastRun.error(job), context: RAISED, job: job)
      nil
    end

    # Reports to the error handlers a failure that a middleware has seen to itself, as it says by raising.
    #
    # @param error [Sidekiq::JobRetry::Handled]
    # @param job [Hash] the payload
    def handled(error, job)
      return if error.is_a?(Sidekiq::JobRetry::Skip)

      @error_handlers.call(error.cause || error, context: RAISED, job: job)
      nil
    end

    # Reports to the app that the job will not run again.
    #
    # @param job_class [Class, nil] nil when it was not found, or in another process: then the payload says
    # @param job [Hash] the payload with what is known of the failure
    # @param error [Exception, nil] nil when it is not known any more: then the payload says
    # @param reason [String] "NO_RETRY", "DISCARDED" or "EXHAUSTED"
    # @return [Symbol, String, nil] see {Death#call}
    def give_up(job_class, job, error, reason)
      in_app { @death.call(job_class || PastRun.job_class(job), job, error || PastRun.error(job), reason) }
    end

    # Reports to the app a payload that no run could use, as Sidekiq does of one that is no JSON.
    #
    # @param text [String] the payload's bytes
    # @param reason [String] what is wrong with it
    def malformed(text, reason)
      require "json"
      raise JSON::ParserError, reason
    rescue JSON::ParserError => e
      @error_handlers.call(e, context: "Invalid JSON for job", jobstr: text)
    end

    private

    # Rails' reloader gives the app's code its connections back and has it loaded, as around the job.
    def in_app(&block)
      reloader = @sidekiq.reloader or return yield
      answer = nil
      reloader.call { answer = block.call }
      answer
    end

    # Rails apps have one, set by the gem.
    def cleaned(job, error)
      cleaner = @sidekiq.backtrace_cleaner if job["backtrace"]
      cleaner.call(error.backtrace).map(&:to_s) if cleaner && error.backtrace
    rescue => e
      @error_handlers.call(e, context: "Error cleaning a backtrace", job: job)
      nil
    end

    # Sidekiq does not ask when this failure is the last.
    def wish(job_class, job, error, option, trace)
      owner = ClassLookup.with_blocks(job_class, job)
      block = owner.respond_to?(:sidekiq_retry_in_block) && owner.sidekiq_retry_in_block or return
      failed = FailedJob.of(job, error, option, trace, @sidekiq)
      return if FailedJob.last?(failed, @sidekiq)

      answer = Arguments.call(block, failed["retry_count"], error, failed)
      return answer if %i[discard kill].include?(answer)

      seconds = answer.respond_to?(:to_i) ? answer.to_i : 0
      seconds if seconds.positive?
    rescue Exception => e # rubocop:disable Lint/RescueException -- decides the job's outcome
      @error_handlers.call(e, context: "#{RETRY_IN} in #{job_class.name}, falling back to default")
      nil
    end
  end
end
