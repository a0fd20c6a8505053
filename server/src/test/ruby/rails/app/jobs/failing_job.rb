# frozen_string_literal: true

# Fails as often as it is told to. How it is retried stands in what is pushed.
class FailingJob
  include Sidekiq::Job
  class Trouble < StandardError; end

  sidekiq_options queue: "low", retry: 2
  sidekiq_retry_in { |count, error| 5_000 + (count * 1_000) if error.is_a?(Trouble) }
  sidekiq_retries_exhausted do |job, error|
    Told.note("exhausted", job, error, Rails.application.executor.active?, *job.keys)
  end

  KINDS = {
    "trouble" => -> { raise Trouble, "no luck" },
    "plain" => -> { raise "no luck at all" },
    "bytes" => -> { raise "bad \xFF bytes #{'x' * 10_050}" },
    "exit" => -> { exit },
    "caused" => lambda {
      begin
        raise IOError, "first"
      rescue IOError
        raise ArgumentError, "second"
      end
    }
  }.freeze

  def perform(kind, file = nil)
    return if file && Ledger.open?(file)

    KINDS.fetch(kind).call
  end
end
