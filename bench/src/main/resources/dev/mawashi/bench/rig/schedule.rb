# frozen_string_literal: true

# The app of the schedule benchmark: jobs that report when they began, beside those of noop.rb.
require_relative "noop"

class ProbeJob
  include Sidekiq::Worker
  FILE = File.open(File.join(ENV.fetch("BENCH_TALLY"), "#{Process.pid}.probes"), "a")
  private_constant :FILE

  # A line `<when it was due, in ms> <when it began, in ns>`; it is one write.
  def perform(due)
    began = Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)
    FILE.syswrite("#{due} #{began}\n")
  end
end
