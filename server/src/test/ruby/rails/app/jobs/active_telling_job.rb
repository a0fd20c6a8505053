# frozen_string_literal: true

# An ActiveJob that notes what it gets.
class ActiveTellingJob < ActiveJob::Base
  # So many failures before that a retry is due long after the test.
  sidekiq_options retry_count: 4
  queue_as :high

  around_perform do |_job, block|
    Ledger.note("around", provider_job_id, self.class)
    block.call
  end

  def perform(*args, **options)
    told = args.map { |arg| arg.is_a?(Thing) ? "thing #{arg.id}" : arg }
    Ledger.note("tell", provider_job_id, self.class, Canonical.digest(told), Canonical.digest(options),
                I18n.locale, Time.zone.name, Current.tenant, queue_name, executions)
    self.class.perform_later("from", "job") if args.first == :parent
  end
end
