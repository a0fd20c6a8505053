# frozen_string_literal: true

require "sidekiq/job/options"
require "sidekiq/setter"

module Sidekiq
  # Makes a class a job class.
  #
  # @example
  #   class AddJob
  #     include Sidekiq::Job
  #     def perform(a, b) = logger.info(a + b)
  #   end
  module Job
    # The id of the job that this instance runs.
    attr_accessor :jid
    # Says whether the server is stopping; set for each run.
    attr_accessor :_context

    def self.included(job_class)
      if job_class.ancestors.any? { |ancestor| ancestor.name == "ActiveJob::Base" }
        raise ArgumentError, "Sidekiq::Job cannot be included in an ActiveJob: #{job_class.name}"
      end

      job_class.include(Options)
      job_class.extend(ClassMethods)
    end

    def logger
      Sidekiq.logger
    end

    # True once the server is stopping, so that a long job can end early.
    def interrupted?
      _context ? _context.stopping? : false
    end

    # The methods of a job class.
    module ClassMethods
      def queue_as(queue)
        sidekiq_options("queue" => queue.to_s)
      end

      # @example
      #   AddJob.set(queue: "low").perform_async(1, 2)
      def set(options)
        Setter.new(self, options)
      end

      def perform_async(*args)
        set({}).perform_async(*args)
      end

      def perform_in(interval, *args)
        at = Payload.due(interval)
        item = { "class" => self, "args" => args }
        client_push(at ? item.merge("at" => at) : item)
      end
      alias perform_at perform_in

      def perform_bulk(lists, **options)
        set({}).perform_bulk(lists, **options)
      end

      def perform_inline(*args)
        set({}).perform_inline(*args)
      end
      alias perform_sync perform_inline

      # Where every push of this class passes.
      def client_push(item)
        symbols = item.keys.grep(Symbol)
        raise ArgumentError, "Job payloads should contain no Symbols: #{item}" unless symbols.empty?

        build_client(item["pool"]).push(item)
      end

      # The client that this class's options ask for.
      def build_client(pool = nil)
        pool ||= Thread.current[:sidekiq_redis_pool] || get_sidekiq_options["pool"]
        (Thread.current[:sidekiq_client_class] || get_sidekiq_options["client_class"] || Client).new(pool: pool)
      end
    end
  end

  # Sidekiq's older name for it.
  Worker = Job
end
