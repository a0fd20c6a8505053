# frozen_string_literal: true

# The app of the threads benchmark: tells at its end in how many fibers jobs ran. Each thread has one, and `Tally`
# has a number for each, since `Thread.current[]` belongs to the fiber.
require_relative "noop"

at_exit do
  File.write(File.join(ENV.fetch("BENCH_TALLY"), "#{Process.pid}.fibers"), "#{Tally.fibers}\n")
end
