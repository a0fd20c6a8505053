# frozen_string_literal: true

require "mawashi/children/own_end"

module Mawashi
  module Children
    # A job that asks for the end of its own process, as gems do that watch its memory, has it: a fork ends after its job.
    # The signal is not sent, since the forker ends a job by the same one. Processes that a job forks send theirs: nothing
    # else may end them.
    module ForkOwnEnd
      class << self
        # Called in the forker.
        def hear
          @forker = Process.pid
          Process.singleton_class.prepend(self)
        end

        # @return [Boolean] whether this process is a fork of the forker, and none of a job's
        def fork?
          Process.ppid == @forker
        end
      end

      def kill(signal, *pids)
        pids == [Process.pid] && ForkOwnEnd.fork? && OwnEnd.asked_by?(signal) ? 1 : super
      end
    end
  end
end
