# frozen_string_literal: true

require "sidekiq/job/iterable/enumerators"
require "sidekiq/job/iterable/progress"

module Sidekiq
  module Job
    # The methods that `IterableJob` gives a class: `perform`, which goes through what `build_enumerator` returns, hooks to
    # be overridden, and enumerators.
    module Iterable
      include Enumerators

      def self.included(job_class)
        job_class.extend(ClassMethods)
      end

      # Keeps classes from overriding what runs them.
      module ClassMethods
        def method_added(name)
          raise "#{self} is an iterable job and must not define #perform" if name == :perform

          super
        end
      end

      # The item at hand; the last one for `on_stop` and `on_complete`.
      attr_reader :current_object

      # The job's arguments.
      def arguments
        @_arguments
      end

      # Where the item at hand stands.
      def cursor
        @_progress&.cursor
      end

      # Asks the job to end. The job heeds that before the first item, and each time that it keeps its state.
      #
      # @return [Integer] seconds since the epoch when that was first asked for
      def cancel!
        @_cancelled ||= Mawashi::IterationState.new(jid).cancel
      end

      # @return [Object] truthy once it is known that the job is to end
      def cancelled?
        @_cancelled
      end

      # The Redis key of the job's state.
      def iteration_key
        Mawashi::IterationState.new(jid).key
      end

      # @return [Enumerator] of items, each with its cursor, from `cursor` on; nil when there is nothing to do
      def build_enumerator(*)
        raise NotImplementedError, "#{self.class.name} must implement a '#build_enumerator' method"
      end

      # Called with each item and the job's arguments.
      def each_iteration(*)
        raise NotImplementedError, "#{self.class.name} must implement an '#each_iteration' method"
      end

      # Called before the first item of the first run.
      def on_start; end

      # Called before the first item of each further run.
      def on_resume; end

      # Called around each item.
      def around_iteration
        yield
      end

      # Called when a run ends, be the job done or not.
      def on_stop; end

      # Called when the job was cancelled, before `on_stop`.
      def on_cancel; end

      # Called when the job is done.
      def on_complete; end

      # Goes through the items, from where the last run ended.
      def perform(*args)
        @_arguments = args.dup.freeze
        @_progress = progress = Progress.new(jid)
        enumerator = build_enumerator(*args, cursor: progress.cursor)
        return logger.info("'#build_enumerator' returned nil, skipping the job.") unless enumerator
        raise ArgumentError, Progress.no_enumerator(enumerator) unless enumerator.is_a?(Enumerator)

        progress.first_run? ? on_start : on_resume
        done = catch(:abort) { progress.time { iterate(enumerator) } }
        on_stop
        finish(done)
      end

      private

      # @return [Boolean] false when the job is to go on later
      def iterate(enumerator)
        return give_up if cancelled_by?(@_progress.cancelled)

        enumerator.each do |item, cursor|
          @current_object = item
          ends = interrupted? || @_progress.over_time?
          return give_up if cancelled_by?(@_progress.at(cursor, ends))
          return false if ends

          iterate_one(item)
        end
        true
      end

      def iterate_one(item)
        @_progress.watch { around_iteration { each_iteration(item, *@_arguments) } }
      rescue Exception # rubocop:disable Lint/RescueException -- raised again
        @_progress.keep_if_possible
        raise
      end

      # @param time [String, nil] at which the job was cancelled
      def cancelled_by?(time)
        @_cancelled = time if time
        !time.nil?
      end

      def give_up
        on_cancel
        logger.info("Job cancelled")
        true
      end

      # @param done [Object] what was thrown with :abort counts as done if it is nothing
      def finish(done)
        raise "Unexpected thrown value: #{done.inspect}" unless [nil, true, false].include?(done)

        if done == false
          @_progress.keep
          raise Interrupted
        end
        on_complete
        @_progress.forget
      end
    end
  end
end
