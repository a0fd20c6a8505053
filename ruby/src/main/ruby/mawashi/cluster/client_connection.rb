# frozen_string_literal: true

require "mawashi/cluster/exchange"
require "redis_client"

module Mawashi
  module Cluster
    # A connection of a driver of redis-client, to the owner of the slot.
    module ClientConnection
      # Has redis-client connect anew, to the owner, and send again.
      class MovedError < ::RedisClient::ConnectionError; end

      @drivers = {}.compare_by_identity
      @lock = Mutex.new

      # @param driver [Class]
      # @return [Class] the same one for each driver
      def self.driver(driver)
        @lock.synchronize { @drivers[driver] ||= Class.new(driver) { prepend ClientConnection } }
      end

      def connected?
        !exchange.stale? && super
      end

      def close
        exchange.clear
        super
      end

      # Some drivers would go to the same node.
      def reconnect
        close
        connect
      end

      def write(command)
        super(exchange.outgoing(command))
      end

      def write_multi(commands)
        super(commands.map { |command| exchange.outgoing(command) })
      end

      def read(timeout = nil)
        exchange.reply(config.read_timeout, method(:write_multi)) { super(timeout) }
      end

      private

      # The driver has its config before it connects, and nothing else yet.
      def exchange
        @exchange ||= Exchange.new(@config.owner, ::RedisClient::CommandError, MovedError)
      end

      def connect
        exchange.clear
        @config.locate
        super
      rescue ::RedisClient::ConnectionError
        raise unless @config.elsewhere?

        super
      end
    end
  end
end
