# frozen_string_literal: true

# Rails 6.1 expects it to be there.
require "logger"
require "rails"
require "action_controller/railtie" # Rails 7.1 and later load a controller of their own
require "active_job/railtie"

# The least that is a Rails app.
class LeastApp < Rails::Application
  config.root = File.expand_path("..", __dir__)
  config.load_defaults 6.1
  config.eager_load = true
  config.secret_key_base = "none"
  config.logger = Logger.new(IO::NULL)
end
