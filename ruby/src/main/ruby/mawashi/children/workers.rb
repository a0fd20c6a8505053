# frozen_string_literal: true

require "mawashi/children/cuts"
require "mawashi/job_run"
require "mawashi/thread_dump"

module Mawashi
  module Children
    # The threads of a child that run its jobs.
    class Workers
      # Most errors that are kept for death handlers; beyond so many the oldest is let go.
      PROBLEMS_MAX = 1_000
      THREAD_ENDED = Problem.new(:failed, "ThreadError", "the job ended its own thread", [], true).freeze
      private_constant :THREAD_ENDED

      # @param jobs [Thread::Queue] of id, queue and payload, see {JobFrame.each_parsed}
      # @param outcomes [Outcomes]
      # @param context [RunContext]
      # @param marks [RunningMarks]
      def initialize(jobs:, outcomes:, sidekiq:, context:, marks:)
        @jobs = jobs
        @outcomes = outcomes
        @sidekiq = sidekiq
        @context = context
        @marks = marks
        @current = []
        @threads = []
        @problems = {}
        @leased_until = 0
        @cuts = Cuts.new(@current, @threads)
      end

      # Jobs begin until then, and are given back after it, by the monotonic clock's nanoseconds: what others may
      # have by now must not begin here too, however long this process was stopped or the server silent.
      #
      # @return [Integer]
      attr_writer :leased_until

      # @param count [Integer] of threads, which is how many jobs run at once
      def start(count)
        count.times { |number| @threads[number] = start_worker(number) }
      end

      # Raises `Sidekiq::Shutdown` in all jobs that run, which means the stop only where that was said.
      def interrupt
        @context.stop
        @threads.each_with_index { |thread, number| thread.raise(Sidekiq::Shutdown) if @current[number] }
      end

      # Raises an error in one job, once, if it runs.
      #
      # @param id [Integer] of the job
      # @param error [Cut]
      def cut(id, error)
        @cuts.cut(id, error)
      end

      # @return [String] the lines of a job's backtrace, none when it does not run
      def backtrace(id)
        number = @current.index(id)
        number ? ThreadDump.lines(@threads[number]).join("\n") : ""
      end

      # Hands back what no thread has begun.
      #
      # @param ids [Array<Integer>] jobs that are handed back too
      def give_back(ids = [])
        loop { ids << @jobs.pop(true).first }
      rescue ThreadError
        @outcomes.unbegun(ids)
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
          work(number, JobRun.new(@sidekiq, @context), @marks.row(number))
        ensure
          # A job may end its thread, which is no exception.
          @threads[number] = start_worker(number) if lost(number)
        end
      end

      # A job may have forked and both have come back: what the copy has of the link and of the jobs that wait
      # is the child's. In the copy the thread that forked is the main one; to ask for the process's id would be a
      # system call for each job.
      def leave_copy
        exit!(0) if Thread.current.equal?(Thread.main)
      end

      def lost(number)
        leave_copy
        id = @current[number] or return false
        @current[number] = nil
        @outcomes.problem(id, 0, THREAD_ENDED)
        true
      end

      def work(number, run, row)
        while (job = @jobs.pop)
          begin
            work_one(run, row, number, job)
          rescue Sidekiq::Shutdown
            # It was meant for a job that had just ended.
          end
        end
      end

      def work_one(run, row, number, job)
        id, queue, payload = job
        row.mark(id)
        start = now
        # Not before it is noted: the server may read the notes once the lease has ended, and what is not in them
        # then is not begun any more.
        return give_back([id]) if start > @leased_until

        @current[number] = id
        problem = run.call(queue, payload)
        leave_copy
        @current[number] = nil
        @cuts.await if @cuts.under_way
        finish = now
        return @outcomes.done(row, id, finish - start, finish) { !@jobs.empty? } unless problem

        keep(id, problem)
        @outcomes.problem(id, finish - start, problem)
      rescue Cut => e
        # It came as the run had just ended.
        @current[number] = nil
        @outcomes.problem(id, now - start, Problem.of(e, nil, true, nil))
      end

      def keep(id, problem)
        @problems[id] = problem if problem.failed?
        @problems.shift if @problems.size > PROBLEMS_MAX
      end

      def now
        Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
      end
    end
  end
end
