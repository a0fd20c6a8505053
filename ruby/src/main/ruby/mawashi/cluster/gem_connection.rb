# frozen_string_literal: true

require "mawashi/cluster/exchange"
require "redis"

module Mawashi
  module Cluster
    # A connection of a driver of the redis gem, to the owner of the slot.
    class GemConnection
      # Has the gem connect anew, to the owner, and send again.
      class MovedError < ::Redis::ConnectionError; end

      # @param connection [Object] of the gem's driver
      # @param owner [Owner]
      # @param options [Hash{Symbol=>Object}] of the gem's client
      def initialize(connection, owner, options)
        @connection = connection
        @exchange = Exchange.new(owner, ::Redis::CommandError, MovedError)
        @limit_s = options[:timeout]
      end

      def connected?
        !@exchange.stale? && @connection.connected?
      end

      def disconnect
        @connection.disconnect
      end

      def timeout=(timeout)
        @connection.timeout = timeout
      end

      def write(command)
        @connection.write(@exchange.outgoing(command))
      end

      def read
        @exchange.reply(@limit_s, method(:write_all)) { @connection.read }
      end

      private

      def write_all(commands)
        commands.each { |command| write(command) }
      end
    end
  end
end
