# frozen_string_literal: true

require "mawashi/children/fork_cuts"
require "mawashi/thread_dump"

module Mawashi
  module Children
    # The signals by which a forker reaches the job in one of its forks.
    module ForkSignals
      # Has a fork raise `Sidekiq::Shutdown`; by default it does nothing, and nobody else sends it.
      INTERRUPT = "URG"
      # Has a fork print its backtraces.
      DUMP = "TTIN"

      private

      def hear_signals
        trap(INTERRUPT) { interrupt }
        ForkCuts.hear { |error| cut(error) }
        trap(DUMP) { dump }
      end

      def interrupt
        @is_interrupted = true
        Thread.main.raise(Sidekiq::Shutdown) if @is_running
      end

      # The forker has the same handlers; a job may signal it.
      def cut(error)
        return if Process.pid == @forker

        @cut = error
        Thread.main.raise(error) if @is_running
      end

      def dump
        return unless @is_running

        warn "main:\n    #{caller.join("\n    ")}"
        ThreadDump.call.each { |trace| warn trace }
      end
    end
  end
end
