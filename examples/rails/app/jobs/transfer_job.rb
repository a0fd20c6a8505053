# frozen_string_literal: true

# An ActiveJob; Sidekiq retries it.
class TransferJob < ActiveJob::Base
  queue_as :transfers
  sidekiq_options retry: 5

  def perform(from, to, amount)
    Transfer.make!(from, to, amount)
  end
end
