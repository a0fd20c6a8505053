# frozen_string_literal: true

require "mawashi/children/fork_cuts"
require "mawashi/children/fork_own_end"
require "mawashi/thread_dump"

module Mawashi
  module Children
    # The signals by which a forker reaches the job in one of its forks.
    module ForkSignals
      # Has a fork raise `Sidekiq::Shutdown`; by default it does nothing, and nobody else sends it.
      INTERRUPT = "URG"
      # Has a fork print its backtraces.
      DUMP = "TTIN"
      # Has a fork report where it is. By default it does nothing, and no terminal sends it to a process group in the
      # background.
      REPORT = "WINCH"

      private

      def hear_signals
        ForkOwnEnd.hear
        trap(INTERRUPT) { interrupt }
        ForkCuts.hear { |error| cut(error) }
        trap(DUMP) { dump }
        trap(REPORT) { report }
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

        $stderr.puts "main:\n    #{caller.join("\n    ")}"
        ThreadDump.call.each { |trace| $stderr.puts trace }
      end

      # On a thread of its own, since a handler may not wait until the job has said what it says.
      def report
        return unless @is_running

        main = OwnFrames.without(caller).join("\n")
        Thread.new { @link.write("M", ThreadDump.text([main, *ThreadDump.call])) }
      end
    end
  end
end
