# frozen_string_literal: true

require "mawashi/cluster/client_connection"
require "mawashi/cluster/owner"

module Mawashi
  module Cluster
    # Makes a config of redis-client lead to the node that has the slot. Each client has one of its own.
    module ClientConfig
      MOVES_MAX = 5
      private_constant :MOVES_MAX

      # A config of a connection to a node of which it asks who has the slot.
      module Asking
        attr_reader :host, :port

        def at(host, port)
          @host = host
          @port = port
          self
        end

        def server_key
          [nil, host, port]
        end

        def retry_connecting?(*)
          false
        end

        # What it says of a failure stands in a sentence that names the node.
        def resolved?
          false
        end

        def middlewares_stack
          ::RedisClient::Middlewares
        end
      end

      # @return [Owner]
      attr_reader :owner
      attr_reader :host, :port, :server_key

      # @param plain [RedisClient::Config] with all settings but the place
      # @param owner [Owner]
      # @return [RedisClient::Config]
      def self.of(plain, owner)
        plain.dup.extend(self).owned_by(plain, owner)
      end

      def owned_by(plain, owner)
        @plain = plain
        @owner = owner
        self.address = owner.url.nodes.first
        self
      end

      def driver
        ClientConnection.driver(super)
      end

      # @return [String] of the Cluster, without login
      def server_url
        owner.url.to_s
      end

      # A command that was refused is sent again, however often the app wants that after a lost connection.
      def retry_connecting?(attempt, error)
        (error.is_a?(ClientConnection::MovedError) && attempt < MOVES_MAX) || super
      end

      # Has the next connection lead to the owner.
      def locate
        self.address = owner.address(::RedisClient::CannotConnectError) { |*node| ask(*node) }
      end

      # @return [Boolean] whether there is another owner than the one that cannot be reached
      def elsewhere?
        before = [host, port]
        owner.forget(before)
        locate != before
      end

      private

      def address=(address)
        @host, @port = address
        @server_key = [nil, @host, @port].freeze
      end

      def ask(host, port)
        client = ::RedisClient.new(@plain.dup.extend(Asking).at(host, port))
        [client.call("CLUSTER", "INFO"), client.call("CLUSTER", "SLOTS")]
      rescue ::RedisClient::ConnectionError => e
        [nil, e.message]
      rescue ::RedisClient::CommandError => e
        raise unless e.message.include?("cluster support disabled")

        [nil, "it is no node of a Cluster"]
      ensure
        client&.close
      end
    end
  end
end
