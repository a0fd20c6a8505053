# frozen_string_literal: true

# The app of the threads benchmark: reports at its end in how many fibers jobs ran. Each thread has one, and `Tally`
# has a number for each, since `Thread.current[]` belongs to the fiber.
require_relative "noop"

# The jobs of actors have a fiber each, and those of servers without a pool a thread each. What the job does there
# is nothing; it is counted outside, where `Tally` has few numbers to sum up.
module WithFiber
  def perform(number)
    Fiber.new { number }.resume
    super
  end
end

module WithThread
  def perform(number)
    Thread.new { number }.join
    super
  end
end

case ENV["BENCH_FORM"]
when "fiber" then NoopJob.prepend(WithFiber)
when "thread" then NoopJob.prepend(WithThread)
end

at_exit do
  File.write(File.join(ENV.fetch("BENCH_TALLY"), "#{Process.pid}.fibers"), "#{Tally.fibers}\n")
end
