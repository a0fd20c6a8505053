# frozen_string_literal: true

require "mawashi/resque/cron/marks"

module Mawashi
  module Resque
    module Cron
      # A time at which a schedule's job is due. The gem's own code enqueues it, with the hooks of its class and of
      # `custom_job_class`; {Sending} has it set the mark together with the job.
      class Tick
        HERE = :mawashi_resque_tick
        private_constant :HERE

        # @return [Tick, ByHand, nil] whose job this thread enqueues
        def self.current
          Thread.current[HERE]
        end

        # @param job [Tick, ByHand] whose job the block enqueues
        def self.as_current(job)
          Thread.current[HERE] = job
          yield
        ensure
          Thread.current[HERE] = nil
        end

        # Whether its job may go elsewhere than into Resque's queues: a class that enqueues by itself may use anything, and
        # `Resque.inline` runs the job here.
        #
        # @param config [Hash{String=>Object}] of a schedule
        def self.elsewhere?(config)
          custom = config["custom_job_class"]
          return true if ::Resque.inline? || (custom && custom != "Resque::Job") || !defined?(::Resque::DataStore)

          ::Resque::Scheduler::Util.constantize(config["class"]).respond_to?(:scheduled)
        rescue NameError
          false
        end

        # @param course [Course]
        # @param tick [Integer] the time
        # @param lock [MasterLock] ours
        def initialize(course, tick, lock)
          @course = course
          @tick = tick
          @lock = lock
        end

        # Enqueues the job.
        #
        # @return [Symbol] :marked, or :lost when another process is master by now
        # @raise what the gem's code raises
        def enqueue
          deciding { Tick.as_current(self) { enqueue_and_mark } }
        end

        # Leaves the time out.
        #
        # @param outcome [String] why
        # @return [Symbol] as {#enqueue}
        def leave_out(outcome)
          deciding { mark(outcome: outcome) }
        end

        # Records that Redis or the app has refused the job. The time stays undecided.
        def refuse(error)
          reason = "#{error.class}: #{error.message.lines.first&.chomp}"
          record = Marks.record("refused", @tick, @lock.now, reason: reason)
          Marks.decide(@lock.value, @course.schedule.name, record: record)
        end

        # Stores the first job together with the mark, and others as the block does.
        #
        # @param job [Array(String, String)] queue and payload
        def store(job)
          open? ? mark(job) : yield
        end

        # Whether its mark is still to be set.
        def open?
          !@is_marked
        end

        # Sets the mark, and stores the job with it. Leaves what enqueues it when another process is master.
        #
        # @param job [Array(String, String), nil] queue and payload
        def mark(job = nil, outcome: "enqueued")
          time = Time.now.to_s if outcome == "enqueued"
          last = time || @course.last
          record = Marks.record(outcome, @tick, @lock.now)
          mark = @course.mark(@tick, last)
          answer = Marks.decide(@lock.value, @course.schedule.name, mark: mark, record: record, time: time, job: job)
          throw(self) if answer == :lost
          @is_marked = true
          @course.decided(@tick, last)
        end

        private

        def deciding
          catch(self) do
            yield
            return :marked
          end
          :lost
        end

        # What may go elsewhere has its mark before: then no time is enqueued twice.
        def enqueue_and_mark
          mark if Tick.elsewhere?(@course.schedule.config)
          ::Resque::Scheduler.enqueue_from_config(@course.schedule.config)
          # A hook has kept it out.
          mark(outcome: "stopped") if open?
        end
      end
    end
  end
end
