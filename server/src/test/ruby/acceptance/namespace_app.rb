# frozen_string_literal: true

# An app with a namespace, as those with Sidekiq 6 or older have it by the gem redis-namespace.
# Debian keeps that gem where its own Ruby looks, and JRuby does not.
$LOAD_PATH << "/usr/lib/ruby/vendor_ruby" if RUBY_ENGINE == "jruby"
$LOAD_PATH << File.expand_path("../../../../../ruby/src/main/ruby", __dir__) unless defined?(Mawashi)

require_relative ENV.fetch("BASE_APP", "app")
require_relative "enqueuing_jobs"

redis = { url: ENV.fetch("REDIS_URL"), namespace: ENV.fetch("OWN_NAMESPACE") }
Sidekiq.configure_server { |config| config.redis = redis }
Sidekiq.configure_client { |config| config.redis = redis }
