# frozen_string_literal: true

# Notes that a run began and ended, and how.
class ApplicationJob < ActiveJob::Base
  around_perform do |job, block|
    block.call
    Ledger.note("leave", job.provider_job_id, job.class, job.executions)
  rescue StandardError => e
    Ledger.note("leave", job.provider_job_id, job.class, job.executions, e.class, e.message)
    raise
  end
end
