# frozen_string_literal: true

# An ActiveJob that sees to some errors itself and leaves others to the server.
class ActiveFailingJob < ActiveJob::Base
  # So many failures before that a retry is due long after the test.
  sidekiq_options retry_count: 4
  retry_on(IOError, wait: 0, attempts: 3) { |job, error| Ledger.note("gave_up", "-", job.class, error.message) }
  discard_on(KeyError) { |job, error| Ledger.note("discarded", job.provider_job_id, job.class, error.class) }

  def perform(kind)
    case kind
    when "io" then raise IOError, "run #{executions}"
    when "key" then raise KeyError, "no key"
    else raise kind
    end
  end
end
