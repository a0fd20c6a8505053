# frozen_string_literal: true

# The app of the tests of locks: apps' processes load it to enqueue, Mawashi to work.
require_relative "app"
require "mawashi/unique"

Sidekiq::Enterprise.unique!

# Its lock is held until it is done.
class UniqueJob < GateJob
  sidekiq_options unique_for: 600
end

# Its lock is free once it has begun.
class BegunJob < GateJob
  sidekiq_options unique_for: 600, unique_until: :start
end

# Fails until the test opens the gate, and waits for long then.
class UniqueShakyJob < LockedJob
  sidekiq_options unique_for: 600
end

# Fails once and is dead.
class UniqueDoomedJob < PickyJob
  sidekiq_options unique_for: 600, retry: 0
end

# Only its first argument makes it another job.
class ContextJob < PlainJob
  sidekiq_options unique_for: 600

  def self.sidekiq_unique_context(job)
    [job["class"], job["args"].first]
  end
end

# Enqueues the same job twice.
class EnqueuingJob
  include Noted

  def perform(word)
    noted do
      jids = Array.new(2) { ContextJob.perform_in(600, word) }
      bulk = Sidekiq::Client.push_bulk("class" => ContextJob, "args" => [[word], ["#{word}2"]], "at" => Time.now.to_f + 600)
      Ledger.note("enqueued", word, jids.map { |jid| jid ? 1 : 0 }.join, bulk.compact.size)
    end
  end
end
