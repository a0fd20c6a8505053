# frozen_string_literal: true

require "mawashi/children/job_frame"
require "mawashi/job_run"

module Mawashi
  module Children
    # The threads of {Workers}: a job may end the one that runs it, which is no exception. Then the job has failed, and
    # another thread takes the place.
    module SlotThreads
      # From now on whatever ends a thread ends the process.
      def close
        @is_over = true
      end

      private

      # @param lost [Array, nil] the job that has ended the thread before this one
      def start_thread(number, lost = nil)
        Thread.new do
          Thread.current.name = "mawashi-slot-#{number + 1}"
          @sidekiq.enter_slot
          run = JobRun.new(@sidekiq, @context)
          tell_lost(run, lost) if lost
          work(number, run, @marks.row(number))
        ensure
          lost = lost(number)
          @threads[number] = start_thread(number, lost) if lost
        end
      end

      # A job may have forked and both have come back: what the copy has of the link and of the jobs that wait
      # is the child's. In the copy the thread that forked is the main one; to ask for the process's id would be a
      # system call for each job.
      def leave_copy
        exit!(0) if Thread.current.equal?(Thread.main)
      end

      # @return [Array, nil] the job that has ended this thread
      def lost(number)
        leave_copy
        return if @current[number].nil? || ending?

        @current[number] = nil
        @hands[number]
      end

      # Whether all threads end, and with them jobs that have nothing to do with it.
      def ending?
        @is_over || Thread.main.pending_interrupt? || Thread.main.status == "aborting"
      end

      def tell_lost(run, job)
        id, _, payload, frame = job
        problem = run.thread_ended(frame ? JobFrame.text(frame, id) : payload)
        @problems.keep(id, problem)
        @outcomes.problem(id, 0, problem)
      end
    end
  end
end
