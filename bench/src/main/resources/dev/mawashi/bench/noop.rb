# frozen_string_literal: true

# The app of the noop benchmark, the same file for every server: a job that does nothing but be
# counted.
require "logger"
require "sidekiq"

# Counts what the jobs did, apart from Redis, at the same small cost on every Ruby: each thread adds
# to a number of its own, and one thread sums them up and appends `<time in ns> <jobs done>` to a
# file of this process. The harness reads those files.
module Tally
  SECONDS = 0.025

  @counts = []
  @lock = Mutex.new

  class << self
    def add
      (Thread.current[:tally] || enter)[0] += 1
    end

    def start(folder)
      @file = File.open(File.join(folder, "#{Process.pid}.tally"), "a")
      @file.sync = true
      Thread.new { loop { sleep(SECONDS) && write } }
      at_exit { write }
    end

    private

    # A thread's first job: the line that it writes tells when the process began to work.
    def enter
      count = [0]
      Thread.current[:tally] = count
      @lock.synchronize { @counts << count }
      write
      count
    end

    # The time is taken after the sum: by then at least so many were done.
    def write
      @lock.synchronize do
        done = @counts.sum { |count| count[0] }
        next if @counts.empty? || done == @written

        @file.write("#{Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)} #{done}\n")
        @written = done
      end
    end
  end
end

class NoopJob
  include Sidekiq::Worker

  def perform(_number)
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

Sidekiq.configure_server do |config|
  # In the process that runs jobs, which may be a fork of the one that loads this file.
  config.on(:startup) { Tally.start(ENV.fetch("BENCH_TALLY")) }
  config.server_middleware do |chain|
    Integer(ENV.fetch("BENCH_MIDDLEWARE", "0")).times do |n|
      # A class of its own each, since a chain holds a class once.
      chain.add(Class.new([CountRuns, TimeRuns, ReportErrors][n % 3]))
    end
  end
end

# Otherwise both log two lines a job.
Sidekiq.logger.level = Logger::WARN
