# frozen_string_literal: true

module Mawashi
  # Asks the app what it wants done about a job that raised.
  class Failure
    # @param sidekiq [SidekiqGem]
    def initialize(sidekiq)
      @sidekiq = sidekiq
    end

    # @param job_class [Class] the class that was to run
    # @param job [Hash] the payload
    # @param error [Exception, nil] nil when it is one that no Ruby code can see
    # @return [Array(Object, Object)] the class's `retry` option and what `sidekiq_retry_in` wants:
    #   a positive number of seconds, `:discard`, `:kill` or nil
    def hint(job_class, job, error)
      option = job_class.get_sidekiq_options["retry"]
      return [option, nil] if error.nil?

      tell_error_handlers(job, error)
      [option, wish(job_class, job, error, option)]
    end

    private

    def wish(job_class, job, error, option)
      count = job["retry_count"] ? job["retry_count"].to_i + 1 : 0
      return if over?(job["retry"].nil? ? option : job["retry"], count)

      block = retry_in_block(job_class, job) or return
      answer = block.call(*[count, error, job].first(block.lambda? ? block.arity.abs : 3))
      return answer if %i[discard kill].include?(answer)

      seconds = answer.respond_to?(:to_i) ? answer.to_i : 0
      seconds if seconds.positive?
    rescue Exception => e # rubocop:disable Lint/RescueException -- decides the job's outcome
      complain("asking #{job_class} when to retry", e)
      nil
    end

    # Sidekiq does not ask when this failure is the last.
    def over?(retries, count)
      !retries || (retries.is_a?(Integer) && count >= retries)
    end

    def retry_in_block(job_class, job)
      owner = job["wrapped"].is_a?(String) ? ClassLookup.constant(job["wrapped"]) : job_class
      owner.sidekiq_retry_in_block if owner.respond_to?(:sidekiq_retry_in_block)
    end

    def tell_error_handlers(job, error)
      @sidekiq.error_handlers.each do |handler|
        @sidekiq.call_error_handler(handler, error, { context: "Job raised exception", job: job })
      rescue => e
        complain("calling an error handler", e)
      end
    end

    def complain(deed, error)
      Sidekiq.logger.warn("#{error.class} while #{deed}: #{error.message}")
    end
  end
end
