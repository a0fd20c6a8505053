# frozen_string_literal: true

# The app of the fault scenarios: jobs that note when each run began and ended, by a clock that all
# processes of the machine share. MRI's sidekiq loads it too.
require "sidekiq"
require_relative "ledger"

Redis.sadd_returns_boolean = false if defined?(Redis)
Sidekiq.logger.level = Logger::WARN

# Lets a job know how often it was tried.
class Attempt
  KEY = :fault_attempt

  def call(_job, payload, _queue)
    Thread.current[KEY] = (payload["retry_count"] || -1) + 2
    yield
  end
end

Sidekiq.configure_server do |config|
  config.on(:startup) { Ledger.note("up", Process.pid) }
  config.server_middleware { |chain| chain.add(Attempt) }
end

# Takes some time, and does what a scenario asks for besides.
class FaultJob
  include Sidekiq::Job

  def perform(milliseconds, deed = nil, _ballast = nil)
    note("begin")
    sleep(milliseconds / 1_000.0) if milliseconds.positive?
    act(deed) if deed
    note("end")
  rescue Sidekiq::Shutdown
    note("cut")
    raise
  end

  private

  def note(step)
    now = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
    Ledger.note(step, jid, self.class, now, (Time.now.to_f * 1_000).round, Thread.current[Attempt::KEY])
  end

  def act(deed)
    case deed
    when "gate" then Ledger.pass("gate")
    when "direct" then hold_direct_memory
    when "kill" then Process.kill(:KILL, Process.pid)
    else raise ArgumentError, deed
    end
  end

  # All that the JVM may have, for some seconds.
  def hold_direct_memory
    held = []
    begin
      loop { held << Java::JavaNio::ByteBuffer.allocateDirect(1 << 16) }
    rescue Java::JavaLang::OutOfMemoryError
      Ledger.note("full", jid)
    end
    sleep 3
    held.clear
    Ledger.note("free", jid)
  end
end
