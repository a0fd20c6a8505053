# frozen_string_literal: true

module Mawashi
  module Children
    # The errors in which runs of a child's jobs ended, kept until the server has decided what becomes of these: death
    # handlers want the error itself. Each change is a single call of MRI's own, so that threads need no lock.
    class KeptProblems
      # Beyond so many the oldest is let go.
      MAX = 1_000
      private_constant :MAX

      def initialize
        @problems = {}
      end

      # @param id [Integer] of the job
      # @param problem [Problem]
      def keep(id, problem)
        @problems[id] = problem if problem.failed?
        @problems.shift if @problems.size > MAX
      end

      # @return [Problem, nil] is given once
      def take(id)
        @problems.delete(id)
      end
    end
  end
end
