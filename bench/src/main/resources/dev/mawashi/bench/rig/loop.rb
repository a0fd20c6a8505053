# frozen_string_literal: true

# The least cost of one process per job: loads the app, then forks, runs the job, leaves at once, waits
# for it; again and again, without a queue. The bound of the fork benchmark.
require File.expand_path(ARGV.fetch(0))

job = NoopJob.new
# As a server does before its first fork.
GC.start
GC.compact if GC.respond_to?(:compact)
Integer(ENV.fetch("BENCH_JOBS")).times do |number|
  pid = fork do
    job.perform(number)
    exit!(true)
  end
  Process.wait(pid)
end
# Servers are ended by the harness.
trap("TERM") { exit }
sleep
