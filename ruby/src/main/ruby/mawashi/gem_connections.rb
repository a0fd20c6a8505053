# frozen_string_literal: true

module Mawashi
  # The connections to Redis that the app's Sidekiq lends to jobs.
  module GemConnections
    # Runs on each slot's thread before its first job, so that `Sidekiq.redis` finds its pool.
    def enter_slot
      Thread.current[:sidekiq_capsule] = config.default_capsule if config? && !shipped?
    end

    # Makes the slots' pool, as Sidekiq's command does before there are threads: of several that were the first to
    # ask for it each would make one. It connects when it is used.
    def make_pool
      config.default_capsule.redis_pool if config? && !shipped?
    end

    # Closes what the boot has connected, since a process that is forked must not share it. What is needed
    # again connects anew.
    def close_connections
      return if shipped?

      Sidekiq.redis { |connection| connection.close }
    rescue => e
      Sidekiq.logger.debug("#{e.class} while connections were closed: #{e.message}")
    end
  end
end
