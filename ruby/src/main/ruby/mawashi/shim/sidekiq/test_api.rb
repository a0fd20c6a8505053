# frozen_string_literal: true

require "sidekiq"
require "sidekiq/queues"
require "sidekiq/testing/job_methods"

module Sidekiq
  # Has jobs kept (`fake!`) or run at once (`inline!`) where they would be enqueued.
  class Testing
    LOCAL = :sidekiq_test_mode
    private_constant :LOCAL

    @mode = :disable

    class << self
      # Keeps jobs instead of enqueueing them; with a block, for its time and on this thread.
      #
      # @example
      #   Sidekiq::Testing.fake! { AddJob.perform_async(1, 2) }
      #   AddJob.jobs.size # => 1
      def fake!(&block)
        set(:fake, &block)
      end

      # Runs jobs instead of enqueueing them.
      def inline!(&block)
        set(:inline, &block)
      end

      # Enqueues jobs.
      def disable!(&block)
        set(:disable, &block)
      end

      def fake?
        mode == :fake
      end

      def inline?
        mode == :inline
      end

      def disabled?
        mode == :disable
      end

      def enabled?
        !disabled?
      end

      # Middleware around jobs that are run here; none to begin with.
      #
      # @example
      #   Sidekiq::Testing.server_middleware { |chain| chain.add Timing }
      def server_middleware
        @server_middleware ||= Middleware::Chain.new(Sidekiq.default_configuration)
        yield @server_middleware if block_given?
        @server_middleware
      end

      # Takes jobs that a client would store.
      def take(jobs)
        jobs.each do |job|
          job = Sidekiq.load_json(Sidekiq.dump_json(job))
          next Object.const_get(job["class"]).process_job(job) if inline?

          job["enqueued_at"] = Payload.now_ms unless job["at"]
          Queues.push(job["queue"], job["class"], job)
        end
      end

      # @param mode [Symbol] :fake, :inline or :disable
      def set(mode)
        return @mode = mode unless block_given?

        before = Thread.current[LOCAL]
        begin
          Thread.current[LOCAL] = mode
          yield
        ensure
          Thread.current[LOCAL] = before
        end
      end

      private

      def mode
        Thread.current[LOCAL] || @mode
      end
    end
  end

  # Raised by `perform_one` where there is no job.
  class EmptyQueueError < RuntimeError; end
end
