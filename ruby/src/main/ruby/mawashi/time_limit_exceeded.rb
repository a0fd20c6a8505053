# frozen_string_literal: true

require "mawashi/cut"

module Mawashi
  # The job has run for longer than its `time_limit`, or its queue's. It fails with this error and is
  # retried like any other.
  #
  # @example
  #   class Report
  #     include Sidekiq::Job
  #     sidekiq_options time_limit: 30
  #   end
  class TimeLimitExceeded < Cut; end
end
