# frozen_string_literal: true

require "mawashi/cluster"
require "mawashi/namespaced_calls"
require "mawashi/redis_place"
require "uri"

module Mawashi
  # The place of a pool's connections: host or file, port and database. Nothing connects for this.
  module PoolPlace
    class << self
      # @return [Array, nil] nil behind Sentinels and with a namespace. A file has no port. Of a Cluster its tag and nodes
      def of(pool)
        pool.with { |connection| place(connection) }
      end

      # @return [Array, nil] of the server's Redis, as it is while the app loads; nil where that has no such place
      def of_server
        text = ENV.fetch("REDIS_URL", "")
        return Cluster::Url.new(text).place if Cluster::Url.match?(text)

        url = URI.parse(text)
        return RedisPlace.options(text).values_at(:path, :port, :db) if url.scheme == "unix"

        [url.host, url.port || 6379, url.path.to_s.delete("/").to_i]
      rescue URI::Error, ArgumentError
        nil
      end

      private

      def place(connection)
        return if NamespacedCalls.namespaced?(connection)

        if (cluster = Cluster.of(connection))
          cluster.place
        elsif defined?(::Redis) && connection.instance_of?(::Redis)
          host, *others, file = connection.connection.values_at(:host, :port, :db, :location)
          [host || file, *others]
        elsif connection.respond_to?(:config) && connection.config.instance_of?(::RedisClient::Config)
          config = connection.config
          [config.path || config.host, config.path ? nil : config.port, config.db]
        end
      end
    end
  end
end
