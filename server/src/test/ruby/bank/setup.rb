# frozen_string_literal: true

# Makes a database of each of these names, with what the jobs start from.
require "sidekiq"
require_relative "config/application"
Rails.application.initialize!

own = ActiveRecord::Base.connection_db_config.configuration_hash
ActiveRecord::Base.establish_connection(own.merge(database: "postgres"))
ARGV.each { |name| ActiveRecord::Base.connection.execute("CREATE DATABASE #{name}") }
ActiveRecord::Schema.verbose = false
ARGV.each do |name|
  ActiveRecord::Base.establish_connection(own.merge(database: name))
  ActiveRecord::Schema.define do
    create_table(:accounts) do |table|
      table.string :owner
      table.decimal :balance, precision: 20, scale: 4
    end
    create_table(:entries) do |table|
      table.string :word
      table.decimal :amount, precision: 20, scale: 4
      table.datetime :at
    end
  end
  %w[Ada Grace Barbara Radia].each { |owner| Account.create!(owner: owner, balance: 1_000) }
end
