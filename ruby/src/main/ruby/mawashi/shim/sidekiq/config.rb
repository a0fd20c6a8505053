# frozen_string_literal: true

require "sidekiq/middleware/chain"

module Sidekiq
  # What `configure_server` yields: the two middleware chains, error handlers and the logger.
  class Config
    EVENTS = %i[startup quiet shutdown exit].freeze
    private_constant :EVENTS

    # Blocks to be called, by event.
    attr_reader :lifecycle_events
    # Called with an error, a context Hash and this config whenever a job raises.
    attr_reader :error_handlers

    def initialize
      @server_middleware = Middleware::Chain.new
      @client_middleware = Middleware::Chain.new
      @error_handlers = []
      @lifecycle_events = EVENTS.to_h { |event| [event, []] }
    end

    # @example
    #   config.server_middleware { |chain| chain.add Timing }
    def server_middleware
      yield @server_middleware if block_given?
      @server_middleware
    end

    # @example
    #   config.client_middleware { |chain| chain.add Stamp, "v2" }
    def client_middleware
      yield @client_middleware if block_given?
      @client_middleware
    end

    # Has a block called when the server starts, falls quiet, stops or exits.
    #
    # @example
    #   config.on(:shutdown) { Pool.close }
    def on(event, &block)
      raise ArgumentError, "Invalid event name: #{event}" unless EVENTS.include?(event)

      @lifecycle_events[event] << block
    end

    def logger
      Sidekiq.logger
    end

    def logger=(logger)
      Sidekiq.logger = logger
    end
  end
end
