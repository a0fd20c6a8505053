# frozen_string_literal: true

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
    # Tells whether the server is stopping; set for each run.
    attr_accessor :_context

    def self.included(job_class)
      job_class.extend(ClassMethods)
    end

    def logger
      Sidekiq.logger
    end

    # True once the server is stopping, so that a long job can end early.
    def interrupted?
      _context ? _context.stopping? : false
    end

    # What a job class can do. Options and blocks are inherited by subclasses.
    module ClassMethods
      # @example
      #   sidekiq_options queue: "low", retry: 3
      def sidekiq_options(options = {})
        @sidekiq_options = get_sidekiq_options.merge(options.transform_keys(&:to_s))
      end

      def get_sidekiq_options # rubocop:disable Naming/AccessorMethodName -- Sidekiq's name
        @sidekiq_options || inherited_from(:get_sidekiq_options) || Sidekiq.default_job_options
      end

      def queue_as(queue)
        sidekiq_options("queue" => queue.to_s)
      end

      # @example
      #   sidekiq_retry_in { |count, error| error.is_a?(IOError) ? 10 * (count + 1) : :kill }
      def sidekiq_retry_in(&block)
        @sidekiq_retry_in_block = block
      end

      def sidekiq_retry_in_block
        @sidekiq_retry_in_block || inherited_from(:sidekiq_retry_in_block)
      end

      # @example
      #   sidekiq_retries_exhausted { |job, error| Alert.send(job["jid"], error) }
      def sidekiq_retries_exhausted(&block)
        @sidekiq_retries_exhausted_block = block
      end

      def sidekiq_retries_exhausted_block
        @sidekiq_retries_exhausted_block || inherited_from(:sidekiq_retries_exhausted_block)
      end

      # @example
      #   AddJob.set(queue: "low").perform_async(1, 2)
      def set(options)
        Setter.new(self, options)
      end

      def perform_async(*args)
        client_push("class" => self, "args" => args)
      end

      def perform_in(interval, *args)
        set({}).perform_in(interval, *args)
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
        Client.new.push(item.transform_keys(&:to_s))
      end

      private

      def inherited_from(name)
        superclass.public_send(name) if superclass.respond_to?(name)
      end
    end
  end

  # Sidekiq's older name for it.
  Worker = Job
end
