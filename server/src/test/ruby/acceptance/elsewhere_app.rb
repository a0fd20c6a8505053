# frozen_string_literal: true

# Without a sidekiq gem there is no path to the redis gem either.
$LOAD_PATH << ENV["REDIS_LIB"] if ENV["REDIS_LIB"]

require_relative "app"
require "json"

# An app that names the Redis of its own connections by itself.
Sidekiq.configure_server do |config|
  config.redis = JSON.parse(ENV.fetch("OWN_REDIS"), symbolize_names: true)
end
