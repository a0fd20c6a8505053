# frozen_string_literal: true

namespace :bank do
  desc "Enqueues a day's work: 200 transfers, one of them too large, and a statement for each account"
  task day: :environment do
    accounts = Account.order(:id).to_a
    199.times { |i| TransferJob.perform_later(accounts[i % 4], accounts[(i + 1) % 4], 1 + (i % 3)) }
    TransferJob.perform_later(accounts[0], accounts[1], 1_000_000)
    accounts.each { |account| StatementJob.perform_async(account.id) }
  end

  desc "Shows what became of it"
  task report: :environment do
    Account.order(:id).each { |account| puts "#{account.owner} has #{account.balance}" }
    puts "#{Transfer.count} transfers by #{Transfer.distinct.count(:pid)} processes, " \
         "#{Statement.count} statements, #{Account.sum(:balance)} in all"
  end
end
