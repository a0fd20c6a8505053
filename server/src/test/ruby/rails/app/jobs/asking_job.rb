# frozen_string_literal: true

# Fails, has its blocks note what they are given, and changes the job at its end.
class AskingJob
  include Sidekiq::Job

  # From 7 on the first block is given the job too.
  SEVEN = Gem::Version.new(Sidekiq::VERSION) >= Gem::Version.new("7")

  sidekiq_options queue: "low"
  sidekiq_retry_in do |count, error, job|
    Told.note("asked", job, error, count, *job.keys) if SEVEN
    SEVEN && job["error_class"] == "ArgumentError" ? :discard : 5_000 + (count * 1_000)
  end
  sidekiq_retries_exhausted do |job, _error|
    job["args"] = ["changed", 1.0, 1 << 70, { "é" => nil }]
    job["note"] = "at the end"
    job.delete("stamp")
  end

  KINDS = {
    "discard" => ArgumentError,
    "nameless" => Class.new(StandardError),
    "exhaust" => IOError,
    "trace" => EOFError
  }.freeze

  def perform(kind)
    raise KINDS.fetch(kind), kind
  end
end
