# frozen_string_literal: true

require_relative "boot"
require "logger" # Rails 6.1 expects it to be there.
require "rails"
require "active_record/railtie"
require "active_job/railtie"
require "sidekiq"

# A bank whose transfers are jobs.
class Bank < Rails::Application
  config.root = File.expand_path("..", __dir__) # Rails finds it by a config.ru, which an app without pages lacks.
  config.load_defaults 6.1
  config.eager_load = true
  config.active_job.queue_adapter = :sidekiq
  config.active_record.schema_format = :ruby
end
