# frozen_string_literal: true

# Without a sidekiq gem there is no path to a Redis library either.
$LOAD_PATH.concat(ENV.fetch("REDIS_LIB", "").split(":"))

require_relative "forward_app"
require "json"

# An app that names the Redis of its own connections by itself.
Sidekiq.configure_server do |config|
  config.redis = JSON.parse(ENV.fetch("OWN_REDIS"), symbolize_names: true)
end
