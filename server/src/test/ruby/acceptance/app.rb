# frozen_string_literal: true

# The app of the acceptance tests. MRI loads it to enqueue, Mawashi and sidekiq load it to work.
require "sidekiq"
require_relative "canonical"
require_relative "ledger"

# Debian's redis gem is newer than its sidekiq gem, and warns of that with each push.
Redis.sadd_returns_boolean = false if defined?(Redis)

# Two lines per job would hide what a failed test must show.
Sidekiq.logger.level = Logger::WARN

# Server middleware that lets a job see its payload and knows what it was added with.
class Around
  KEY = :acceptance_payload

  def self.payload
    Thread.current[KEY] || {}
  end

  def initialize(word = nil)
    @word = word
  end

  def call(_job, payload, queue)
    Thread.current[KEY] = payload.merge("around" => "#{@word}-#{queue}")
    yield
  ensure
    Thread.current[KEY] = nil
  end
end

Sidekiq.configure_client { Ledger.note("client") }
Sidekiq.configure_server do |config|
  Ledger.note("server", RUBY_ENGINE, defined?(Sidekiq::VERSION) ? Sidekiq::VERSION : "shim")
  config.server_middleware { |chain| chain.add(Around, "around") }
  config.error_handlers << ->(error, context, _config = nil) { Ledger.note("error", context.dig(:job, "jid"), error.class) }
  config.death_handlers << ->(job, error) { Ledger.note("death", job["jid"], error.class, error.message) }
end

# Notes when a run starts and how it ends.
module Noted
  def self.included(job_class)
    job_class.include(Sidekiq::Job)
  end

  def noted
    Ledger.note("start", jid, self.class, Around.payload["around"])
    yield
    Ledger.note("end", jid, self.class)
  rescue Sidekiq::Shutdown
    Ledger.note("cut", jid, self.class)
    raise
  end
end

class PlainJob
  include Noted

  def perform(*)
    noted {}
  end
end

# Fails unless it gets exactly what was sent.
class ExactJob
  include Noted

  def perform(digest, *values)
    noted { raise "got #{values.inspect}" if Canonical.digest(values) != digest }
  end
end

class DueJob
  include Noted

  def perform(due)
    noted { raise "#{due - Time.now.to_f} s early" if Time.now.to_f < due }
  end
end

class SleepJob
  include Noted

  def perform(seconds)
    noted { sleep(seconds) }
  end
end

# Runs until the test opens the gate.
class GateJob
  include Noted

  def perform(gate)
    noted { Ledger.pass(gate) }
  end
end

# Has a large argument besides.
class LargeGateJob < GateJob
  def perform(gate, _large)
    super(gate)
  end
end

# Computes until it is ended.
class SpinJob
  include Noted

  def perform
    noted { loop { 1 } }
  end
end

# Runs until the test opens the gate, and does not let itself be interrupted.
class StubbornJob
  include Noted

  def perform(gate)
    noted { Ledger.pass(gate) }
  rescue Sidekiq::Shutdown
    Ledger.pass(gate)
  end
end

# Runs until the test opens the gate, whatever is raised in it.
class DeafJob
  include Noted

  sidekiq_options time_limit: 1

  def perform(gate)
    noted { Thread.handle_interrupt(Exception => :never) { Ledger.pass(gate) } }
  end
end

# Fails in its first runs.
class FlakyJob
  include Noted
  class Trouble < StandardError; end

  sidekiq_options queue: "low"
  sidekiq_retry_in { |count, _error| 5_000 * (count + 1) }

  def perform(failures)
    noted do
      run = (Around.payload["retry_count"] || -1) + 2
      raise Trouble, "run #{run} – no luck" if run <= failures
    end
  end
end

# Has a large argument besides.
class LargeFlakyJob < FlakyJob
  def perform(failures, _large)
    super(failures)
  end
end

class DoomedJob
  include Noted

  sidekiq_options retry: 1, backtrace: 2, tags: %w[doomed]
  sidekiq_retry_in { 3_000 }

  def perform(word)
    noted { raise ArgumentError, "no #{word}\u0001\b\f \"終\" \\" }
  end
end

# Neither retried nor kept.
class FleetingJob
  include Noted

  sidekiq_options retry: false

  def perform
    noted { raise "gone" }
  end
end

# Fails unless it gets strings and hashes and nothing that something made of them.
class DataJob
  include Noted

  def perform(*values)
    noted { raise "got #{values.map(&:class)}" unless values.all? { |value| [String, Hash].include?(value.class) } }
  end
end

# Fails whatever it gets.
class PickyJob
  include Noted

  def perform(*)
    noted { raise "no" }
  end
end

autoload :LazyJob, File.join(__dir__, "lazy_job.rb")

# Takes its process with it, as a native crash does.
class PoisonJob
  include Sidekiq::Job

  def perform
    sleep 0.02
    Process.kill(:KILL, Process.pid)
    sleep 10
  end
end

# Fails until the test opens the gate.
class LockedJob
  include Noted

  sidekiq_retry_in { 5_000 }

  def perform(gate)
    noted { raise "#{gate} is shut" unless Ledger.open?(gate) }
  end
end
