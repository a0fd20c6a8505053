# frozen_string_literal: true

# The app of the sharing benchmark: it holds a million objects, as an app holds its code and its data. Each job looks
# at a part of them, the next part in the next job of that process; with `BENCH_WRITES` it writes to each of them.
require_relative "noop"

HELD = Array.new(1_000_000) { Object.new }

module WithHeld
  PARTS = 25
  SECONDS = 0.05

  def self.part
    size = HELD.size / PARTS
    @number = ((@number || -1) + 1) % PARTS
    (@number * size)...((@number + 1) * size)
  end

  def perform(number)
    if ENV["BENCH_WRITES"]
      WithHeld.part.each { |n| HELD[n].instance_variable_set(:@number, number) }
    else
      WithHeld.part.each { |n| HELD[n].instance_variable_get(:@number) }
    end
    sleep(SECONDS)
    super
  end
end
NoopJob.prepend(WithHeld)
