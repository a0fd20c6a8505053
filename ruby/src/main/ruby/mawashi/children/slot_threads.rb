# frozen_string_literal: true

require "mawashi/children/at_once"
require "mawashi/children/job_frame"
require "mawashi/job_run"

module Mawashi
  module Children
    # The threads of {Workers}: a job may end the one that runs it, which is no exception. Then the job has failed, and
    # another thread takes the place, as it does where an error was raised in one that waited. One whose thread was ended
    # by another has done nothing as far as can be seen, and runs again, once.
    module SlotThreads
      KILLED_MAX = 1_000
      private_constant :KILLED_MAX

      # Makes a thread remember that another one has ended it.
      module KnownEnd
        def kill
          @is_killed = true unless equal?(Thread.current)
          super
        end
        alias exit kill
        alias terminate kill

        def killed?
          @is_killed == true
        end
      end

      # From now on whatever ends a thread ends the process.
      def close
        @is_over = true
      end

      private

      # @param lost [Array, nil] the job that has ended the thread before this one
      def start_thread(number, lost = nil)
        Thread.new do
          Thread.current.extend(KnownEnd).name = "mawashi-slot-#{number + 1}"
          run = set_up
          tell_lost(run, lost) if lost
          work(number, run, @marks.row(number))
        ensure
          replace(number)
        end
      end

      # The app has a say in it. Where it fails, another thread would fail as well, so the process ends and the server
      # makes another one, after a pause that grows.
      def set_up
        run = nil
        AtOnce.ended do
          @sidekiq.enter_slot
          run = JobRun.new(@sidekiq, @context)
        end
        run
      end

      # Another thread takes the place of this one, which ends.
      def replace(number)
        leave_copy
        return if ending?

        job = @hands[number]
        @hands[number] = @current[number] = nil
        @threads[number] = start_thread(number, job && !run_again?(job) ? job : nil)
      end

      # A job may have forked and both have come back: what the copy has of the link and of the jobs that wait
      # is the child's. In the copy the thread that forked is the main one; to ask for the process's id would be a
      # system call for each job.
      def leave_copy
        exit!(0) if Thread.current.equal?(Thread.main)
      end

      # Whether all threads end, and with them jobs that have nothing to do with it.
      def ending?
        @is_over || Thread.main.pending_interrupt? || Thread.main.status == "aborting"
      end

      def run_again?(job)
        return false unless Thread.current.killed? && @killed[text(job).hash].nil?

        @killed[text(job).hash] = true
        @killed.shift if @killed.size > KILLED_MAX
        @outcomes.unbegun([job.first])
        true
      end

      def text(job)
        id, _, payload, frame = job
        frame ? JobFrame.text(frame, id) : payload
      end

      # The app is asked about it, too, and may end this thread as well.
      def tell_lost(run, job)
        problem = run.thread_ended(text(job))
      ensure
        leave_copy
        send_lost(job.first, problem || Problem.of(JobRun.thread_error, nil, true, nil)) unless ending?
      end

      def send_lost(id, problem)
        @problems.keep(id, problem)
        @outcomes.problem(id, 0, problem)
      end
    end
  end
end
