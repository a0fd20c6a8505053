# frozen_string_literal: true

# The app of the test of ActiveJobs with locks; called by itself it enqueues one, twice.
require_relative "app"
require "logger"
require "active_job"
require "mawashi/unique"

ActiveJob::Base.queue_adapter = :sidekiq
ActiveJob::Base.logger = Logger.new(IO::NULL)
# As `sidekiq/rails` does in a Rails app.
ActiveJob::Base.include(Sidekiq::Worker::Options)
Sidekiq::Enterprise.unique!

# Fails once, and has ActiveJob enqueue it again.
class UniqueActiveJob < ActiveJob::Base
  sidekiq_options unique_for: 600
  retry_on(RuntimeError, wait: 600) {}

  def perform(word)
    Ledger.note("start", job_id, self.class, word)
    raise "no" if executions == 1
  end
end

if $PROGRAM_NAME == __FILE__
  Sidekiq.configure_client { |config| config.redis = { url: ENV.fetch("REDIS_URL") } }
  jids = Array.new(2) { UniqueActiveJob.perform_later("one").provider_job_id }
  jids << UniqueActiveJob.perform_later("two").provider_job_id if ARGV.empty?
  puts jids.map { |jid| jid ? "yes" : "no" }.join(" ")
end
