# frozen_string_literal: true

# The app of the io benchmark: a job that waits, as most do, for something elsewhere.
require_relative "noop"

class SleepJob
  include Job
  SECONDS = 0.1

  def perform(_number)
    Tally.enter
    sleep(SECONDS)
    Tally.add
  end
end
