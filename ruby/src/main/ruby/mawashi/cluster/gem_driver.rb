# frozen_string_literal: true

require "mawashi/cluster/gem_connection"
require "mawashi/cluster/owner"

module Mawashi
  module Cluster
    # Makes the connections of the redis gem, as its option `driver`: to the owner of the slot, through a driver of the
    # gem's.
    class GemDriver
      FAILURES = [SystemCallError, SocketError, ::Redis::BaseConnectionError, OpenSSL::SSL::SSLError].freeze
      private_constant :FAILURES

      # @return [Url]
      attr_reader :url
      # @return [Class] of the gem's
      attr_reader :driver

      # @param url [Url]
      # @param driver [Class, String, Symbol, nil] of the gem's
      def initialize(url, driver)
        @url = url
        @owner = Owner.new(url)
        @driver = known(driver)
      end

      # @param options [Hash{Symbol=>Object}] of the gem's client
      # @return [GemConnection]
      def connect(options)
        address = locate(options)
        begin
          connect_to(address, options)
        rescue *FAILURES => e
          @owner.forget(address)
          raise failure(address, e) if (other = locate(options)) == address

          connect_to(other, options)
        end
      end

      # Sidekiq writes a copy to its log.
      def marshal_dump
        [@url, @driver]
      end

      def marshal_load(values)
        initialize(*values)
      end

      def inspect
        "#<#{self.class} of #{@url}>"
      end
      alias to_s inspect

      private

      def known(driver)
        return driver || ::Redis::Connection.drivers.last if driver.nil? || driver.is_a?(Module)

        require "redis/connection/#{driver}"
        ::Redis::Connection.const_get(driver.to_s.capitalize)
      end

      def locate(options)
        @owner.address(::Redis::CannotConnectError) { |host, port| ask(at([host, port], options)) }
      end

      def at(address, options)
        options.merge(host: address.first, port: address.last)
      end

      def connect_to(address, options)
        GemConnection.new(@driver.connect(at(address, options)), @owner, options)
      end

      def failure(address, error)
        ::Redis::CannotConnectError.new("Error connecting to Redis on #{address.join(":")} (#{error.class})")
      end

      # The time limit of a command that blocks is none for this.
      def ask(options)
        client = ::Redis::Client.new(options.merge(driver: @driver, reconnect_attempts: 0, read_timeout: options[:timeout]))
        [client.call(%w[CLUSTER INFO]), client.call(%w[CLUSTER SLOTS])]
      rescue ::Redis::BaseConnectionError, OpenSSL::SSL::SSLError => e
        [nil, e.message]
      rescue ::Redis::CommandError => e
        raise unless e.message.include?("cluster support disabled")

        [nil, "it is no node of a Cluster"]
      ensure
        client&.disconnect
      end
    end
  end
end
