# frozen_string_literal: true

# Rails 6.1 expects it to be there.
require "logger"
require "rails"
require "active_job/railtie"
require_relative "../../acceptance/canonical"
require_relative "../../acceptance/ledger"

# A small Rails app without a database, to be run by Sidekiq and by Mawashi alike.
class ComparisonApp < Rails::Application
  config.root = File.expand_path("..", __dir__)
  config.load_defaults 6.1
  # Rails 6 has another default on JRuby, which finds classes by const_missing only.
  config.autoloader = :zeitwerk
  config.eager_load = false
  # As in development, where code that was changed is loaded again.
  config.cache_classes = false
  config.secret_key_base = "none"
  config.logger = Logger.new(IO::NULL)
  config.active_job.queue_adapter = :sidekiq
  config.i18n.available_locales = %i[en de]
  config.time_zone = "UTC"
end
