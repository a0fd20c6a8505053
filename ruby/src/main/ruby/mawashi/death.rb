# frozen_string_literal: true

require "mawashi/class_lookup"

module Mawashi
  # Reports to the app jobs that will not run again: `sidekiq_retries_exhausted`, then the death handlers.
  class Death
    # No job may be larger.
    PAYLOAD_BYTES_MAX = 16 << 20
    private_constant :PAYLOAD_BYTES_MAX

    # @param sidekiq [SidekiqGem]
    # @param error_handlers [ErrorHandlers]
    def initialize(sidekiq, error_handlers)
      @sidekiq = sidekiq
      @error_handlers = error_handlers
    end

    # @param job_class [Class, nil]
    # @param job [Hash] the payload with what is known of the failure
    # @param error [Exception]
    # @param reason [String] "NO_RETRY", "DISCARDED" or "EXHAUSTED"
    # @return [Symbol, String, nil] what the class wants done with an exhausted job: `:discard`, to have it buried
    #   in a form that it has given it, or as it is (nil)
    def call(job_class, job, error, reason)
      answer = exhausted(job_class, job, error) if reason == "EXHAUSTED"
      is_discarded = answer == :discard || reason == "DISCARDED"
      return answer if is_discarded && !@sidekiq.mourns_discarded?

      is_discarded ||= job["dead"] == false && reason == "EXHAUSTED"
      if is_discarded && @sidekiq.dates_discarded?
        job["discarded_at"] = Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)
      end
      mourn(job, error)
      answer
    end

    private

    def mourn(job, error)
      @sidekiq.death_handlers.each do |handler|
        handler.call(job, error)
      rescue Exception => e # rubocop:disable Lint/RescueException -- the other handlers and the job go on
        @error_handlers.call(e, context: "Error calling death handler", job: job)
      end
    end

    def exhausted(job_class, job, error)
      owner = job_class && ClassLookup.with_blocks(job_class, job)
      block = owner.respond_to?(:sidekiq_retries_exhausted_block) && owner.sidekiq_retries_exhausted_block or return

      before = Sidekiq.dump_json(job)
      return :discard if block.call(job, error) == :discard

      after = Sidekiq.dump_json(job)
      after unless after == before || after.bytesize > PAYLOAD_BYTES_MAX
    rescue Exception => e # rubocop:disable Lint/RescueException -- decides the job's outcome
      @error_handlers.call(e, context: "Error calling retries_exhausted", job: job)
      nil
    end
  end
end
