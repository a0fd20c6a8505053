# frozen_string_literal: true

# A job of Sidekiq's own kind.
class StatementJob
  include Sidekiq::Job

  def perform(account_id)
    account = Account.find(account_id)
    Statement.create!(account: account, balance: account.balance, pid: Process.pid)
  end
end
