# frozen_string_literal: true

require "mawashi/app_redis"
require "mawashi/database_pools"
require "mawashi/namespaced_calls"
require "mawashi/own_log"

module Mawashi
  # The connections that the app has when it is loaded: to Redis, which its Sidekiq lends to jobs, and to its
  # databases.
  module GemConnections
    # A pool has room for as many, so that no slot waits for another, however many `config/mawashi.yml` wants. It
    # connects when it is used.
    POOL_SIZE = 1_000
    private_constant :POOL_SIZE

    # Runs on each slot's thread before its first job, so that `Sidekiq.redis` finds its pool.
    def enter_slot
      Thread.current[:sidekiq_capsule] = config.default_capsule if config? && !shipped?
    end

    # Whether slots are to find another pool with each queue.
    def capsules?
      config? && !shipped? && config.capsules.size > 1
    end

    # Runs on a slot's thread before each job if there are several capsules. Which of them a slot belongs to is known
    # by the queue, since the server may have made several of one.
    def enter_capsule(queue)
      @capsules_by_queue ||= config.capsules.each_value.reverse_each.with_object({}) do |capsule, found|
        capsule.queues.each { |name| found[name.to_s] = capsule }
      end
      Thread.current[:sidekiq_capsule] = @capsules_by_queue.fetch(queue, config.default_capsule)
    end

    # Makes the slots' pools, as Sidekiq's command does before there are threads: if several were the first to
    # ask for a pool, each would make one.
    #
    # Those that an earlier call has made stay.
    #
    # @return [Array<#with>] what the gem's client takes connections from when it is given no other
    def make_pools
      return [Sidekiq.redis_pool] unless config?

      @pools ||= {}.compare_by_identity
      config.capsules.each_value { |capsule| @pools[capsule] ||= make_pool(capsule) }
      [*@pools.values, config.redis_pool]
    end

    # Has the app's own connection show whose Redis it leads to. Jobs of the shipped API go to the server's in any case.
    #
    # @param identity [String] of the server
    # @param follow [Object, nil] where it is to learn that place, too
    def meet_server(identity, follow)
      return unless !shipped? || AppRedis.apart?

      @app_redis = AppRedis.meet(identity)
      @app_redis[3, 2] = ["", ""] if shipped? || !follow
    end

    # @return [Array<String>] see {AppRedis.meet}
    def app_redis
      @app_redis || AppRedis::NONE
    end

    # Closes what the boot has connected, since a process that is forked must not share it. What is needed
    # again connects anew.
    def close_connections
      closing { ::Resque.redis.disconnect! if defined?(::Resque::DataStore) }
      closing { Sidekiq.redis { |connection| NamespacedCalls.below(connection).close } unless shipped? }
      closing { DatabasePools.disconnect }
    end

    private

    # It is as large as the capsule at this moment, unless the app has given a size.
    def make_pool(capsule)
      concurrency = capsule.concurrency
      capsule.concurrency = [concurrency, POOL_SIZE].max
      capsule.redis_pool
    ensure
      capsule.concurrency = concurrency
    end

    def closing
      yield
    rescue => e
      OwnLog.say(:debug, "#{e.class} while connections were closed: #{e.message}")
    end
  end
end
