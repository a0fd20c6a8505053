# frozen_string_literal: true

# The app of the noop benchmark, the same file for every server: a job that does nothing but be
# counted.
require "logger"
require "sidekiq" unless defined?(Resque)
require_relative "tally"

# Makes a job class of the benchmarks one of Sidekiq or of Resque.
module Job
  def self.included(job_class)
    job_class.include(Sidekiq::Worker) if defined?(Sidekiq)
    job_class.define_singleton_method(:perform) { |*args| new.perform(*args) } if defined?(Resque)
  end
end

class NoopJob
  include Job

  def perform(_number)
    Tally.add
  end
end

# The same with a text, for payloads of any size.
class TextJob
  include Job

  def perform(_number, _text)
    Tally.add
  end
end

# Typical server middleware, as plain as apps write it: the more kinds, the fuller the chain.
class CountRuns
  def call(_job, payload, _queue)
    counts = (Thread.current[:runs] ||= Hash.new(0))
    counts[payload["class"]] += 1
    yield
  end
end

class TimeRuns
  def call(_job, _payload, queue)
    began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    yield
  ensure
    times = (Thread.current[:times] ||= Hash.new(0.0))
    times[queue] += Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
  end
end

class ReportErrors
  def call(job, payload, _queue)
    yield
  rescue => e
    Sidekiq.logger.error("#{job.class} #{payload["jid"]}: #{e.message}")
    raise
  end
end

# The reports of each job to Redis, at its begin and at its end, until Sidekiq 4 left that to the heartbeat.
class ReportStatus
  def call(_job, payload, _queue)
    Sidekiq.redis { |redis| redis.hset("bench:busy", payload["jid"], payload["class"]) }
    yield
  ensure
    Sidekiq.redis { |redis| redis.hdel("bench:busy", payload["jid"]) }
  end
end

if defined?(Sidekiq)
  Sidekiq.configure_server do |config|
    # In the process that runs jobs, which may be a fork of the one that loads this file.
    config.on(:startup) { Tally.start(ENV.fetch("BENCH_TALLY")) } unless ENV["BENCH_EACH"]
    config.server_middleware do |chain|
      chain.add(ReportStatus) if ENV["BENCH_STATUS"]
      Integer(ENV.fetch("BENCH_MIDDLEWARE", "0")).times do |n|
        # A class of its own each, since a chain holds a class once.
        chain.add(Class.new([CountRuns, TimeRuns, ReportErrors][n % 3]))
      end
    end
  end

  # Otherwise both log two lines per job.
  Sidekiq.logger.level = Logger::WARN unless ENV["BENCH_LOG"] == "info"
  # With redis 4.8 each fetch of Sidekiq 6.4 warns of a deprecated call, and nobody else logs a line per job.
  Redis.silence_deprecations = true if defined?(Redis.silence_deprecations)
end
