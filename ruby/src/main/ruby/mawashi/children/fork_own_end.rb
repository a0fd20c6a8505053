# frozen_string_literal: true

require "mawashi/children/own_end"

module Mawashi
  module Children
    # A job that asks for the end of its own process, as gems do that watch its memory, has it: a fork ends after its job.
    # The signal is not sent, since the forker ends a job by the same one.
    module ForkOwnEnd
      def kill(signal, *pids)
        pids == [Process.pid] && OwnEnd.asked_by?(signal) ? 1 : super
      end
    end
  end
end
