# frozen_string_literal: true

require "mawashi/own_log"

module Mawashi
  # The connections that the app has when it is loaded: to Redis, which its Sidekiq lends to jobs, and to its
  # databases.
  module GemConnections
    # Runs on each slot's thread before its first job, so that `Sidekiq.redis` finds its pool.
    def enter_slot
      Thread.current[:sidekiq_capsule] = config.default_capsule if config? && !shipped?
    end

    # Makes the slots' pool, as Sidekiq's command does before there are threads: of several that were the first to
    # ask for it each would make one. It connects when it is used.
    #
    # @return [Array<#with>] what the gem's client takes connections from when it is given no other
    def make_pools
      config? ? [config.default_capsule.redis_pool, config.redis_pool] : [Sidekiq.redis_pool]
    end

    # Closes what the boot has connected, since a process that is forked must not share it. What is needed
    # again connects anew.
    def close_connections
      closing { ::Resque.redis.disconnect! if defined?(::Resque::DataStore) }
      closing { Sidekiq.redis { |connection| connection.close } unless shipped? }
      closing { database_pools.each(&:disconnect!) }
    end

    private

    def closing
      yield
    rescue => e
      OwnLog.say(:debug, "#{e.class} while connections were closed: #{e.message}")
    end

    # ActiveRecord makes a child forget what its parent had open, but SQLite must not even be open there.
    def database_pools
      return [] unless defined?(ActiveRecord::Base)

      handler = ActiveRecord::Base.connection_handler
      return handler.connection_pool_list(:all) if ActiveRecord.version >= Gem::Version.new("7.1")

      # Those of all roles; before 6.1 there is a handler for each, and the app's own is what the boot has used.
      handler.respond_to?(:all_connection_pools) ? handler.all_connection_pools : handler.connection_pool_list
    end
  end
end
