# frozen_string_literal: true

# Makes the tables and enqueues a day's work: ruby setup.rb
require_relative "jobs"

DB.create_table(:accounts) do
  primary_key :id
  Integer :balance, null: false
end
DB.create_table(:transfers) do
  primary_key :id
  Integer :from
  Integer :to
  Integer :cents
  Time :at
end
10.times { DB[:accounts].insert(balance: 1_000) }
200.times { |n| TransferJob.perform_async(n % 10 + 1, (n * 7 + 3) % 10 + 1, n % 9 + 1) }
TransferJob.perform_async(1, 2, 1_000_000)
