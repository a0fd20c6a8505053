# frozen_string_literal: true

require "mawashi/native"
require "mawashi/unique_lock"

module Mawashi
  # Frees the lock of a job that is to be free once the job begins: what is enqueued from then on must not be taken for
  # the same job, which may have read what has changed since.
  module UniqueStart
    # Seconds between tries, and how many there are at most.
    PAUSE = 0.5
    TRIES = 60
    private_constant :PAUSE, :TRIES

    # @param job [Hash] a payload
    # @raise [Mawashi::Error] when Redis does not answer for half a minute
    def self.call(job)
      tries ||= 0
      Native.iteration(["free", job["jid"].to_s, job[UniqueLock::FIELD].to_s]) if Native.iterates?
    rescue Error
      raise if (tries += 1) >= TRIES

      sleep(PAUSE)
      retry
    end
  end
end
