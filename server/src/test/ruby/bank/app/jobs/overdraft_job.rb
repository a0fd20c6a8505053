# frozen_string_literal: true

# Fails with what it has written undone, and does not once the test has opened a gate. Its retry is Sidekiq's.
class OverdraftJob < ApplicationJob
  # So many failures before that its retry is due long after the test.
  sidekiq_options retry: 9, retry_count: 4, backtrace: 2

  def perform(account)
    Account.move(account, Account.first, 1_000_000) do
      Entry.create!(word: self.class, amount: 1_000_000, at: Time.at(0))
      raise Account::Overdrawn, "#{account.owner} has too little" unless Ledger.open?("again")
    end
  end
end
