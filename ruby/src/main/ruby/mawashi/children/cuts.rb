# frozen_string_literal: true

require "mawashi/cut"

module Mawashi
  module Children
    # Raises errors in single jobs that run.
    #
    # Only that job may see it, and a run must pay nothing for that: a thread that is done with its job
    # first says so, then looks whether a cut is under way, and if so waits for its end, so that what was
    # meant for the job comes before anything is reported of it. Here it is the other way round: first it is said
    # that a cut is under way, then looked what runs.
    class Cuts
      # @return [Boolean] whether a job may be hit at this moment
      attr_reader :under_way

      # @param current [Array<Integer, nil>] what each thread runs
      # @param threads [Array<Thread>]
      # @example
      #   Mawashi::Children::Cuts.new([7], [Thread.current]).under_way #=> false
      def initialize(current, threads)
        @current = current
        @threads = threads
        @made = []
        @under_way = false
        @lock = Mutex.new
      end

      # Raises an error in one job, once, if it runs.
      #
      # @param id [Integer] of the job
      # @param error [Cut]
      def cut(id, error)
        @lock.synchronize do
          @under_way = true
          number = @current.index(id)
          next if number.nil? || @made[number] == id

          @made[number] = id
          @threads[number].raise(error) if @current[number] == id
        ensure
          @under_way = false
        end
      end

      # Waits for the end of the one under way, whose error is taken.
      def await
        @lock.synchronize {}
      rescue Cut
        # The job was faster.
      end
    end
  end
end
