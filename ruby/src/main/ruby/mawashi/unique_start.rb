# frozen_string_literal: true

require "mawashi/native"
require "mawashi/unique_lock"

module Mawashi
  # Frees the lock of a job that is to be free once the job begins: what is enqueued from then on must not be taken for
  # the same job, which may have read what has changed since.
  module UniqueStart
    # Seconds between tries, and from the first to the last.
    PAUSE = 0.5
    PATIENCE = 30
    private_constant :PAUSE, :PATIENCE

    # @param job [Hash] a payload
    # @raise [Mawashi::Error] when Redis does not answer for half a minute
    def self.call(job)
      last ||= monotonic + PATIENCE
      Native.iteration(["free", job["jid"].to_s, job[UniqueLock::FIELD].to_s]) if Native.iterates?
    rescue Error
      raise if monotonic >= last

      sleep(PAUSE)
      retry
    end

    def self.monotonic
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
    private_class_method :monotonic
  end
end
