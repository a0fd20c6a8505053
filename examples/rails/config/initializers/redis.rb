# frozen_string_literal: true

# Debian's redis gem is newer than its sidekiq gem, and warns of that with each push.
Redis.sadd_returns_boolean = false if defined?(Redis.sadd_returns_boolean)
