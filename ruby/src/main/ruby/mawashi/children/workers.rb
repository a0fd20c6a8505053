# frozen_string_literal: true

require "mawashi/children/cuts"
require "mawashi/children/kept_problems"
require "mawashi/children/slot_threads"
require "mawashi/thread_dump"

module Mawashi
  module Children
    # The threads of a child that run its jobs.
    class Workers
      include SlotThreads

      # @param jobs [Lanes] of id, queue, payload and frame, see {JobFrame.each_parsed}
      # @param outcomes [Outcomes]
      # @param context [RunContext]
      # @param marks [RunningMarks]
      def initialize(jobs:, outcomes:, sidekiq:, context:, marks:)
        @jobs = jobs
        @queues = jobs.queues
        @outcomes = outcomes
        @sidekiq = sidekiq
        @context = context
        @marks = marks
        @current = []
        # The job that each has taken and not reported.
        @hands = []
        @threads = []
        @killed = {}
        @problems = KeptProblems.new
        @leased_until = 0
        @cuts = Cuts.new(@current, @threads)
      end

      # Jobs begin until then, and are given back after it, by the monotonic clock's nanoseconds: what others may
      # have by now must not begin here too, however long this process was stopped or the server silent.
      #
      # @return [Integer]
      attr_writer :leased_until

      # Starts the threads of all lanes.
      #
      # @return [self]
      def start
        @queues.size.times { |number| @threads[number] = start_thread(number) }
        self
      end

      # Raises `Sidekiq::Shutdown` in all jobs of a lane that run, which means the stop only where that was said.
      def interrupt(lane)
        @context.stop
        @jobs.threads_of(lane).each { |number| @threads[number].raise(Sidekiq::Shutdown) if @current[number] }
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
        @outcomes.unbegun(ids + @jobs.take_all)
      end

      # @return [Problem, nil] what a job's run ended in; is given once
      def problem(id)
        @problems.take(id)
      end

      private

      def work(number, run, row)
        # In one step: whatever ends this thread, no job is between the two.
        while (job = @hands[number] = @queues[number].pop)
          begin
            work_one(run, row, number, job)
          rescue Sidekiq::Shutdown
            # It was meant for a job that had just ended.
          end
          @hands[number] = nil
        end
      end

      def work_one(run, row, number, job)
        id, queue, payload, frame = job
        row.mark(id)
        start = now
        # Not before it is noted: the server may read the notes once the lease has ended, and what is not in them
        # then is not begun any more.
        return give_back([id]) if start > @leased_until

        @current[number] = id
        problem = run.call(queue, payload) { JobFrame.text(frame, id) }
        leave_copy
        @current[number] = nil
        @cuts.await if @cuts.under_way
        finish = now
        return @outcomes.done(row, id, finish - start, finish) { !@queues[number].empty? } unless problem

        @problems.keep(id, problem)
        @outcomes.problem(id, finish - start, problem)
      rescue Cut => e
        # It came as the run had just ended.
        @current[number] = nil
        @outcomes.problem(id, now - start, Problem.of(e, nil, true, nil))
      end

      def now
        Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
      end
    end
  end
end
