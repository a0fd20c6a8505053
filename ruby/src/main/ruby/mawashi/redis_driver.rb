# frozen_string_literal: true

require "mawashi/cluster/options"
require "mawashi/error"
require "mawashi/redis_place"

module Mawashi
  # Opens connections with the Redis library that the app has: redis-client, else redis.
  module RedisDriver
    REMEDY = "no Redis library is there: add gem \"redis-client\" (or \"redis\") to the Gemfile, or run the code in mawashi run"
    DEFAULT_URL = "redis://localhost:6379/0"
    # What is meant for a pool of connections and not for one of them.
    POOL_OPTIONS = %i[size pool_timeout pool_name logger].freeze
    private_constant :REMEDY, :DEFAULT_URL, :POOL_OPTIONS

    # Makes redis-client's connections understand commands as methods, which is what Sidekiq 7 and later yield.
    module Commands
      # @example
      #   connection.hset("key", "field", 1)
      def method_missing(name, *words, &block)
        call(name, *words, &block)
      end
      ruby2_keywords :method_missing

      def respond_to_missing?(*)
        true
      end

      # Takes its arguments in the redis gem's order, which is not the command's.
      def evalsha(sha, keys, words)
        call("EVALSHA", sha, keys.size, *keys, *words)
      end
    end

    class << self
      # @param options [Hash{Symbol=>Object}] what `config.redis=` took
      # @return [Object] a connection, opened at its first command
      # @raise [Mawashi::Error] when the app has no Redis library
      def open(options)
        raise ArgumentError, "Redis namespaces are not supported, as in Sidekiq 7 and later" if options[:namespace]

        options = connection_options(options)
        case library
        when :redis_client then redis_client(options)
        when :redis then ::Redis.new(**options)
        end
      end

      # Whether the app has a Redis library.
      def there?
        !library.nil?
      rescue Error
        false
      end

      # The Redis that the environment names, as Sidekiq reads it, or the file that a variable with _FILE names.
      def url
        provider = ENV["REDIS_PROVIDER"]
        return named("REDIS_URL") || DEFAULT_URL if provider.nil? || provider.empty?
        return named(provider) || DEFAULT_URL unless provider.include?(":")

        raise Error, "REDIS_PROVIDER is a URL, must be the name of the variable that holds one"
      end

      private

      def named(variable)
        file = ENV["#{variable}_FILE"].to_s
        ENV[variable] || (File.read(file).strip unless file.empty?)
      rescue SystemCallError => e
        raise Error, "#{variable}_FILE names #{file}, which cannot be read: #{e.message}"
      end

      def connection_options(options)
        found = options.reject { |name, _| POOL_OPTIONS.include?(name) }
        found[:timeout] = found.delete(:network_timeout) if found.key?(:network_timeout)
        found[:url] = url if (RedisPlace::NAMES & found.keys).empty?
        place = RedisPlace.options(found[:url]) if found[:url]
        found.update(place) { |_, own, other| own.is_a?(Hash) ? other.merge(own) : other } if place
        # A connection that the server has closed meanwhile is no failure.
        Cluster::Options.for({ reconnect_attempts: 1 }.merge(found), library) { ENV["REDIS_URL"] }
      end

      def library
        @library ||= required("redis-client", :redis_client) || required("redis", :redis) || raise(Error, REMEDY)
      end

      def required(feature, name)
        require feature
        name
      rescue LoadError => e
        raise unless e.path == feature
      end

      def redis_client(options)
        require "redis_client/decorator"
        @decorated ||= RedisClient::Decorator.create(Commands)
        config = options.key?(:sentinels) ? RedisClient.sentinel(**options) : RedisClient.config(**options)
        @decorated.new(config.new_client)
      end
    end
  end
end
