# frozen_string_literal: true

require "mawashi/iteration_state"

module Sidekiq
  module Job
    module Iterable
      # The progress of a run of an iterable job, kept for the next run.
      class Progress
        FLUSH_S = 5
        private_constant :FLUSH_S

        # @return [Object] where the item at hand stands
        attr_reader :cursor

        # Says what is wrong with what `build_enumerator` returned.
        def self.no_enumerator(object)
          "#build_enumerator must return an Enumerator, but returned #{object.class}: " \
            "try array_enumerator(items, cursor: cursor)"
        end

        # Reads what earlier runs have left.
        def initialize(jid)
          @state = Mawashi::IterationState.new(jid)
          @start = @kept = now
          before = @state.read
          @runs = before["ex"].to_i + 1
          @cursor = before["c"] && Sidekiq.load_json(before["c"])
          @runtime = before["rt"] ? before["rt"].to_f : 0
        end

        def first_run?
          @runs == 1
        end

        # @return [String, nil] time at which the job was cancelled
        def cancelled
          @state.read["cancelled"]
        end

        # Counts the time of the block.
        def time
          yield
        ensure
          @runtime += now - @start
        end

        # Notes that the run has come to an item. Keeps the state from time to time, and when the run ends
        # here.
        #
        # @return [String, nil] time at which the job was cancelled, as far as this run knows
        def at(cursor, ends)
          @cursor = cursor
          keep if ends || now - @kept >= FLUSH_S
        end

        # Warns when the block takes longer than the server waits at its stop.
        def watch
          start = now
          yield
          limit = Sidekiq.default_configuration[:timeout]
          return if now - start <= limit

          Sidekiq.logger.warn("Iteration took #{(now - start).round(2)} s, longer than Sidekiq's shutdown timeout of " \
                              "#{limit} s: at a stop it would be interrupted in its midst")
        end

        # Whether the job is to let others run.
        def over_time?
          limit = Sidekiq.default_configuration[:max_iteration_runtime]
          limit && now - @start > limit
        end

        # @return [String, nil] time at which the job was cancelled
        def keep
          @kept = now
          @state.write("ex" => @runs, "c" => Sidekiq.dump_json(@cursor), "rt" => @runtime)
        end

        # Keeps the state where an error is under way that must not be lost.
        def keep_if_possible
          keep
        rescue => e
          Sidekiq.logger.warn("the state of an iterable job was not kept: #{e.message}")
        end

        # The job is done.
        def forget
          @state.forget
        end

        private

        def now
          Process.clock_gettime(Process::CLOCK_MONOTONIC)
        end
      end
    end
  end
end
