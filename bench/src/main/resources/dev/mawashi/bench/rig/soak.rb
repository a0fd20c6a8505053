# frozen_string_literal: true

# The app of the soak benchmark: jobs that make objects and wait; each hundredth fails at its first try.
require_relative "noop"

# Remembers in the job's thread how often the job has failed before.
class NoteTries
  def call(_job, payload, _queue)
    Thread.current[:soak_failures] = payload["retry_count"]
    yield
  end
end

class SoakJob
  include Job

  SECONDS = 0.05
  FAILING = 100
  LEAKED = ENV["BENCH_LEAK"] && []
  sidekiq_retry_in { 5 }

  def perform(number)
    Tally.enter
    Array.new(500) { |i| "job #{number}, object #{i}" }
    sleep(SECONDS)
    LEAKED << File.open(File::NULL) if LEAKED
    raise "the first try" if (number % FAILING).zero? && Thread.current[:soak_failures].nil?

    Tally.add
  end
end

Sidekiq.configure_server do |config|
  config.server_middleware { |chain| chain.add(NoteTries) }
end
