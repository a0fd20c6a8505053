# frozen_string_literal: true

# The app of the roll benchmark, loaded by releases that set RELEASE: jobs that wait, and write down on which
# release they began and ended. The file is opened before any fork, and each line is one write.
require_relative "noop"

class RollJob
  include Job

  LEDGER = File.open(File.join(ENV.fetch("BENCH_TALLY"), "#{Process.pid}.ledger"), "a").tap { |file| file.sync = true }

  def perform(number, milliseconds)
    Tally.enter
    write("begin", number)
    sleep(milliseconds / 1_000.0)
    write("end", number)
    Tally.add
  end

  private

  def write(what, number)
    LEDGER.write("#{what} #{number} #{RELEASE} #{Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)}\n")
  end
end
