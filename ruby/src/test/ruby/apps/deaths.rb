# frozen_string_literal: true

# An app that wants to know of jobs that will not run again, for RubyGiveUpTest.

SAID = Queue.new

# These tests are not about the log.
Sidekiq.logger.level = Logger::FATAL

class MortalJob
  include Sidekiq::Job
  sidekiq_retries_exhausted do |job, error|
    SAID << [:exhausted, job["jid"], job["retry_count"], error.message]
    raise "block broke" if job["args"].first == "raise"
    exit(3) if job["args"].first == "exit"
    job.update("args" => ["é", 1.5], "note" => 1 << 70) if job["args"].first == "change"

    job["args"].first.to_sym
  end

  def perform(word) = raise(ArgumentError, "died of #{word}")
end

class QuietJob
  include Sidekiq::Job

  def perform(*) = raise("hush")
end

Sidekiq.configure_server do |config|
  config.death_handlers << ->(job, _error) { raise "handler broke" if job["args"].first == "handler" }
  config.death_handlers << ->(job, error) { SAID << [:dead, job["jid"], error.class.name, job.key?("discarded_at")] }
  config.error_handlers << ->(error, context) { SAID << [:error, error.message, context[:context]] }
end
