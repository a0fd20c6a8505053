# frozen_string_literal: true

require "mawashi/native"
require "mawashi/pool_place"

module Mawashi
  # Has what jobs enqueue with the app's sidekiq gem go through the server: what many threads enqueue shares a
  # round trip, and this process needs no connection for it. Client middleware, checks and payload stay the gem's.
  #
  # Only where that is the same Redis, and where nobody else has changed how the gem sends jobs.
  module GemClient
    # Takes what the gem's client says to Redis: from 6.0 on `sadd`, `lpush` and `zadd` and nothing else.
    class Recorder
      # @return [Array<Array(String, String, Float)>] see {Native.enqueue}
      attr_reader :jobs

      # @param queue [String] of jobs for later, whose commands do not name it
      def initialize(queue)
        @queue = queue
        @jobs = []
      end

      # The server enters the queue's name itself.
      def sadd(_names, _queues)
      end

      def lpush(key, payloads)
        queue = key.delete_prefix("queue:")
        Array(payloads).each { |payload| @jobs << [queue, payload, nil] }
      end

      # Until 6.4 pairs, from 6.5 on flat; the time as text, which for one that never comes is no number's.
      def zadd(_schedule, entries)
        entries.flatten.each_slice(2) do |at, payload|
          @jobs << [@queue, payload, at.to_s == "Infinity" ? Float::INFINITY : at.to_f]
        end
      end
    end

    # Goes before the gem's own methods.
    module Sending
      private

      def raw_push(payloads)
        return super unless GemClient.stands_for?(@redis_pool) && !GemClient.locked?(payloads)

        recorder = Recorder.new(payloads.first["queue"])
        atomic_push(recorder, payloads)
        GemClient.enqueue(recorder.jobs)
        true
      end
    end

    class << self
      # Call once, with the app loaded.
      #
      # @param pools [Array<#with>] that the gem takes connections from when nobody gives it another
      # @param follow [Object, nil] where the server turns to the Redis of the app's own connections, unless it is there.
      #   Until the app's start jobs go through these
      # @return [Boolean] whether jobs go through the server, now or then
      def install(pools, follow = nil)
        @is_following = follow
        @is_plain = untouched?
        return false unless @is_plain && pools.all? { |pool| servers_own?(pool) }

        @pools = follow ? [] : pools
        Sidekiq::Client.prepend(Sending)
        true
      end

      # Whether nobody else has changed how the gem sends jobs.
      def plain?
        @is_plain == true
      end

      # The gem takes connections from more pools by now.
      def learn(pools)
        @pools = pools.select { |pool| known?(pool) || servers_own?(pool) } if @pools
      end

      # @param pool [#with] that jobs would go to
      def stands_for?(pool)
        Native.connected? && known?(pool)
      end

      # Whether jobs have locks, see {Unique}, which sees to these.
      def locked?(payloads)
        defined?(Unique) && !Unique.none?(payloads)
      end

      # Jobs rescue what the gem would raise.
      def enqueue(jobs)
        Native.enqueue(jobs)
      rescue Error => e
        raise gem_error, e.message
      end

      private

      def known?(pool)
        @pools.any? { |own| own.equal?(pool) }
      end

      # Sidekiq 7 and later talk to redis-client, also where the app has the redis gem for itself.
      def gem_error
        return ::RedisClient::ConnectionError if defined?(::Sidekiq::RedisClientAdapter)

        defined?(::Redis::CannotConnectError) ? ::Redis::CannotConnectError : Error
      end

      # Other gems put their own way of sending in front or in its place.
      def untouched?
        file = $LOADED_FEATURES.find { |path| path.end_with?("/sidekiq/client.rb") }
        %i[raw_push atomic_push].all? do |name|
          next unless Sidekiq::Client.private_method_defined?(name)

          method = Sidekiq::Client.instance_method(name)
          method = method.super_method if defined?(Unique) && method.owner == Unique::Sending
          method.owner == Sidekiq::Client && method.source_location&.first == file
        end
      end

      # A Sentinel or a namespace is not the server's own.
      def servers_own?(pool)
        own = @is_following ? PoolPlace.of(Sidekiq.redis_pool) : PoolPlace.of_server
        !own.nil? && PoolPlace.of(pool) == own
      end
    end
  end
end
