# frozen_string_literal: true

# An app whose jobs are in a Redis Cluster: REDIS_URL names it, in a form that the gem mawashi brings to Sidekiq.
$LOAD_PATH << File.expand_path("../../../../../ruby/src/main/ruby", __dir__) unless defined?(Mawashi)

require_relative ENV.fetch("BASE_APP", "app")
require "mawashi"
require_relative "enqueuing_jobs"
