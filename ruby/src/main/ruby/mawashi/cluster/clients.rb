# frozen_string_literal: true

require "mawashi/cluster/client_config"

module Mawashi
  module Cluster
    # Makes the clients of redis-client, as its option `client_implementation`.
    class Clients
      # @param url [Url]
      def initialize(url)
        @url = url
        @owner = Owner.new(url)
      end

      # @param config [RedisClient::Config]
      # @return [RedisClient]
      def new(config, **options)
        ::RedisClient.new(ClientConfig.of(config, @owner), **options)
      end

      # Sidekiq writes a copy to its log.
      def marshal_dump
        @url
      end

      def marshal_load(url)
        initialize(url)
      end

      def inspect
        "#<#{self.class} of #{@url}>"
      end
      alias to_s inspect
    end
  end
end
