# frozen_string_literal: true

# The app of `UniqueKillsIT`: a job with a lock that writes down when it is over. Loaded to work by servers; called by
# itself it enqueues such jobs of a thousand keys, over and over until its standard input ends, and writes down which
# came in.
require_relative "app"
require "mawashi/unique"

Sidekiq::Enterprise.unique!

def moment
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

# One of ten runs fails, and is retried soon.
class KeyJob
  include Noted
  sidekiq_options unique_for: 3_600
  sidekiq_retry_in { 1 }

  def perform(key)
    noted do
      sleep(rand * 0.02)
      raise "unlucky" if rand < 0.1

      Ledger.note("over", jid, self.class, key, moment)
    end
  end
end

def enqueue(counts)
  key = "k#{rand(1_000)}"
  before = moment
  jid = KeyJob.perform_async(key)
  counts[jid ? 0 : 1] += 1
  Ledger.note("pushed", jid, "KeyJob", key, before, moment) if jid
  sleep(0.001)
end

if $PROGRAM_NAME == __FILE__
  $stdout.sync = true
  options = { url: ENV.fetch("REDIS_URL") }
  Sidekiq.configure_client { |config| config.redis = options }
  over = false
  counts = Array.new(4) { [0, 0] }
  threads = counts.map { |own| Thread.new { enqueue(own) until over } }
  puts "enqueues"
  $stdin.read
  over = true
  threads.each(&:join)
  puts "came in #{counts.sum(&:first)}, stayed out #{counts.sum(&:last)}"
end
