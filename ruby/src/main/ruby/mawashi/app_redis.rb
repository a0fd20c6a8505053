# frozen_string_literal: true

require "mawashi/app_place"
require "mawashi/cluster"
require "mawashi/namespaced_calls"
require "mawashi/redis_driver"

module Mawashi
  # The Redis of the app's own connections, and whether it is the server's.
  #
  # Names and addresses do not show that: one Redis has many, and those of two may be the same. So the server puts a key
  # into its Redis before it loads the app, and the app's connection deletes it. Where the key is there afterwards, the app
  # has another Redis, another database or a namespace. Its place goes to the server, which may work there instead.
  module AppRedis
    KEY = "mw:place:"
    # Of a user without the right, or of a proxy without the command, which show nothing.
    REFUSED = /\ANOPERM|\AERR.*\b(unknown|unsupported|not supported|not allowed|disabled|denied)\b/i.freeze
    LOGIN = %r{(?<=//)[^/\s]*@}.freeze
    NONE = Array.new(6, "").freeze
    private_constant :KEY, :REFUSED, :LOGIN

    class << self
      # Takes as long as the connection lets it.
      #
      # @param identity [String] of the server
      # @return [Array<String>] where the app's connection leads, without login; why it was not to be asked, "" where it
      #   was; and the namespace that it puts before keys. The first two are "" where it shows nothing. Then its place with
      #   login and what the server cannot take of it, see {AppPlace}, and "met" where it has found the server's key.
      def meet(identity)
        place = namespace = met = ""
        own = nil
        Sidekiq.redis do |connection|
          namespace = connection.full_namespace if NamespacedCalls.namespaced?(connection)
          own = AppPlace.new(NamespacedCalls.below(connection))
          place = place(connection)
          met = "met" if connection.del(KEY + identity) == 1
        ensure
          # A process that is forked must not share it.
          NamespacedCalls.below(connection).close
        end
        [place, "", namespace, own.url, own.obstacle, met]
      rescue => e
        reason = e.message.to_s.scrub.lines.first.to_s.strip
        words = REFUSED.match?(reason) ? ["", ""] : [place, "#{e.class}: #{reason}"].map { |text| text.gsub(LOGIN, "") }
        [*words, namespace, own&.url.to_s, own&.obstacle.to_s, ""]
      end

      # @return [Boolean] whether an app with the shipped API enqueues elsewhere by itself
      def apart?
        Sidekiq.default_configuration.redis_given? && RedisDriver.there?
      end

      private

      def place(connection)
        if NamespacedCalls.namespaced?(connection)
          return "#{place(connection.redis)} in the namespace #{connection.namespace}"
        end
        cluster = Cluster.of(connection)
        return cluster.to_s if cluster
        return connection.config.server_url.gsub(LOGIN, "") unless defined?(::Redis) && connection.is_a?(::Redis)

        location, database = connection.connection.values_at(:location, :db)
        location.start_with?("/") ? "unix://#{location}?db=#{database}" : "redis://#{location}/#{database}"
      end
    end
  end
end
