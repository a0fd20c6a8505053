# frozen_string_literal: true

# Prints what the jobs have left in the database.
require "sidekiq"
require_relative "config/application"
Rails.application.initialize!

puts(Account.order(:id).map { |account| "account: #{account.owner} #{account.balance}" })
puts(Entry.all.map { |entry| "entry: #{entry.word} #{entry.amount} #{entry.at.to_f}" }.sort)
