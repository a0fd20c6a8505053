# frozen_string_literal: true

require_relative "application"
Rails.application.initialize!
# As in production. Rails' own way would load a controller too, for which there is nothing here.
Rails.application.eager_load!
Redis.sadd_returns_boolean = false if defined?(Redis.sadd_returns_boolean)
# A parent's connection, as many an app leaves one behind, must not become its children's.
Account.count if Sidekiq.server?
