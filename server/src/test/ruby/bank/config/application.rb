# frozen_string_literal: true

require "logger"
require "rails"
require "active_record/railtie"
require "active_job/railtie"
require_relative "../../acceptance/ledger"

# A Rails app on PostgreSQL, to be run by Sidekiq and by Mawashi alike, on a database each.
class BankApp < Rails::Application
  config.root = File.expand_path("..", __dir__)
  config.load_defaults Rails.version.to_f
  config.eager_load = false
  config.secret_key_base = "none"
  config.logger = Logger.new(IO::NULL)
  config.active_job.queue_adapter = :sidekiq
end
