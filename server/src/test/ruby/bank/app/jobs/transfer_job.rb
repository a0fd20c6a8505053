# frozen_string_literal: true

# Moves money, tells another job of it once that is sure, and keeps the kinds of values that ActiveJob knows.
class TransferJob < ApplicationJob
  queue_as :transfers
  retry_on Account::Busy, wait: 0, attempts: 3
  discard_on(ActiveJob::DeserializationError) { |job, error| Ledger.note("discarded", job.provider_job_id, error.message) }

  def perform(from, to, amount, at:, word: "plain")
    amount = amount.to_d # Rails 6 has no serializer for it
    Account.move(from, to, amount) do
      Entry.create!(word: "#{self.class} #{word} #{executions}", amount: amount, at: at)
      ReceiptJob.perform_later(to, word.to_s)
      raise Account::Busy, "run #{executions}" if word == :busy && executions < 3
      raise ActiveRecord::Rollback if word == :undone
    end
  end
end
