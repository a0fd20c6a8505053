# frozen_string_literal: true

# The app of the fanout benchmark: a job that enqueues ten others, one by one as most apps do.
require_relative "noop"

class FanoutJob
  include Job
  CHILDREN = 10

  def perform(number)
    CHILDREN.times { |n| NoopJob.perform_async((number * CHILDREN) + n) }
    Tally.add
  end
end
