# frozen_string_literal: true

require "mawashi/redis_driver"

module Mawashi
  # The Redis of the app's own connections, and whether it is the server's.
  #
  # Names and addresses do not show that: one Redis has many, and those of two may be the same. So the server puts a key
  # into its Redis before it loads the app, and the app's connection deletes it. Where the key is there afterwards, the app
  # has another Redis, another database or a namespace.
  module AppRedis
    KEY = "mw:place:"
    # Of a user without the right, or of a proxy without the command, which show nothing.
    REFUSED = /\ANOPERM|\AERR.*\b(unknown|unsupported|not supported|not allowed|disabled|denied)\b/i.freeze
    LOGIN = %r{(?<=//)[^/\s]*@}.freeze
    NONE = ["", ""].freeze
    private_constant :KEY, :REFUSED, :LOGIN

    class << self
      # Takes as long as the connection lets it.
      #
      # @param identity [String] of the server
      # @return [Array(String, String)] where the app's connection leads, without login; and why it was not to be asked, ""
      #   where it was. Both are "" where it shows nothing.
      def meet(identity)
        place = ""
        Sidekiq.redis do |connection|
          place = place(connection)
          connection.del(KEY + identity)
        ensure
          # A process that is forked must not share it.
          connection.close
        end
        [place, ""]
      rescue => e
        reason = e.message.to_s.scrub.lines.first.to_s.strip
        REFUSED.match?(reason) ? NONE : [place, "#{e.class}: #{reason}"].map { |text| text.gsub(LOGIN, "") }
      end

      # @return [Boolean] whether an app with the shipped API enqueues elsewhere by itself
      def apart?
        Sidekiq.default_configuration.redis_given? && RedisDriver.there?
      end

      private

      def place(connection)
        if defined?(::Redis::Namespace) && connection.is_a?(::Redis::Namespace)
          return "#{place(connection.redis)} in the namespace #{connection.namespace}"
        end
        return connection.config.server_url.gsub(LOGIN, "") unless defined?(::Redis) && connection.is_a?(::Redis)

        location, database = connection.connection.values_at(:location, :db)
        location.start_with?("/") ? "unix://#{location}?db=#{database}" : "redis://#{location}/#{database}"
      end
    end
  end
end
