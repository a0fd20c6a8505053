# frozen_string_literal: true

# An ActiveJob whose retries are Sidekiq's.
class ActiveDyingJob < ActiveJob::Base
  sidekiq_options retry: 0, backtrace: 3, tags: ["active"]

  def perform
    raise ArgumentError, "at once"
  end
end
