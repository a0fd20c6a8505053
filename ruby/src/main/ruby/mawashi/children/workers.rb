# frozen_string_literal: true

require "mawashi/job_run"

module Mawashi
  module Children
    # The threads of a child that run its jobs.
    class Workers
      # Errors of failed jobs are kept for their death handlers; beyond so many the oldest is let go.
      PROBLEMS_MAX = 1_000
      THREAD_ENDED = Problem.new(:failed, "ThreadError", "the job ended its own thread", [], true).freeze
      private_constant :THREAD_ENDED

      # @param jobs [Thread::Queue] of id, queue and payload
      # @param outcomes [Outcomes]
      # @param context [RunContext]
      # @param marks [#mark] see {RunningMarks}
      def initialize(jobs:, outcomes:, sidekiq:, context:, marks:)
        @jobs = jobs
        @outcomes = outcomes
        @sidekiq = sidekiq
        @context = context
        @marks = marks
        @current = []
        @threads = []
        @problems = {}
      end

      # @param count [Integer] of threads, which is how many jobs run at once
      def start(count)
        count.times { |number| @threads[number] = start_worker(number) }
      end

      # Raises `Sidekiq::Shutdown` in all jobs that run.
      def interrupt
        @threads.each_with_index { |thread, number| thread.raise(Sidekiq::Shutdown) if @current[number] }
      end

      # @return [Problem, nil] what a job's run ended in; is told once
      def problem(id)
        @problems.delete(id)
      end

      private

      def start_worker(number)
        Thread.new do
          Thread.current.name = "mawashi-slot-#{number + 1}"
          @sidekiq.enter_slot
          work(number, JobRun.new(@sidekiq, @context))
        ensure
          # A job may end its thread, which is no exception.
          @threads[number] = start_worker(number) if lost(number)
        end
      end

      def lost(number)
        id = @current[number] or return false
        @current[number] = nil
        @outcomes.problem(id, 0, THREAD_ENDED)
        true
      end

      def work(number, run)
        while (id, queue, payload = @jobs.pop)
          begin
            work_one(run, number, id, queue, payload)
          rescue Sidekiq::Shutdown
            # It was meant for a job that had just ended.
          end
        end
      end

      def work_one(run, number, id, queue, payload)
        @marks.mark(number, id)
        start = now
        @current[number] = id
        problem = run.call(queue, payload)
        @current[number] = nil
        finish = now
        return @outcomes.done(id, finish - start, finish, !@jobs.empty?) unless problem

        keep(id, problem)
        @outcomes.problem(id, finish - start, problem)
      end

      def keep(id, problem)
        @problems[id] = problem if problem.kind == :failed
        @problems.shift if @problems.size > PROBLEMS_MAX
      end

      def now
        Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
      end
    end
  end
end
