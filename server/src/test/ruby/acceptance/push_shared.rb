# frozen_string_literal: true

# Enqueues 4,000 jobs for two kinds of servers to share.
require_relative "app"

300.times { |n| DueJob.perform_at(*[Time.now.to_f + (n % 20) / 10.0] * 2) }
200.times { FlakyJob.perform_async(1) }
3_500.times { |n| SleepJob.perform_async((n % 10) / 1_000.0) }
