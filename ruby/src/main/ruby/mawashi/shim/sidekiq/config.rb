# frozen_string_literal: true

require "forwardable"
require "mawashi/redis_pool"
require "sidekiq/capsule"
require "sidekiq/middleware/chain"
require "sidekiq/server_middleware"

module Sidekiq
  # The object that `configure_server` yields: options, capsules, the two middleware chains, error handlers and
  # the logger.
  class Config
    extend Forwardable

    EVENTS = %i[startup quiet shutdown exit heartbeat beat].freeze
    CONCURRENCY = 10
    # Logs what was raised, with all that is known of the job. Without a backtrace Ruby would name this place.
    ERROR_HANDLER = lambda do |error, context, config|
      is_traced = error.backtrace&.any?
      text = is_traced ? error.full_message(highlight: false).chomp : "#{error.class}: #{error.message}"
      Context.with(context) { config.logger.warn(text) }
    end
    private_constant :EVENTS, :CONCURRENCY

    # Reads and sets an option of the config file or one of the app's own.
    def_delegators :@options, :[], :[]=, :fetch, :key?, :dig, :merge!
    # What the capsule named "default" has.
    def_delegators :default_capsule, :concurrency, :concurrency=, :queues, :queues=

    # Capsules by name.
    attr_reader :capsules

    # Blocks to be called, by event.
    attr_reader :lifecycle_events
    # Called with an error, a context Hash and this config whenever a job raises.
    attr_reader :error_handlers
    # Called with a job Hash and its error once the job will not run again.
    attr_reader :death_handlers

    def initialize
      @server_middleware = Middleware::Chain.new(self)
      @client_middleware = Middleware::Chain.new(self)
      @error_handlers = [ERROR_HANDLER]
      @death_handlers = []
      @lifecycle_events = EVENTS.to_h { |event| [event, []] }
      @options = { labels: [], timeout: 25, logged_job_attributes: %w[bid tags] }
      @capsules = {}
      @redis_options = {}
      default_capsule
    end

    # A pool of threads with queues of its own; made when there is none of that name.
    #
    # @example
    #   config.capsule("slow") { |capsule| capsule.concurrency = 1; capsule.queues = %w[slow] }
    def capsule(name)
      found = @capsules[name.to_s] ||= Capsule.new(name.to_s, CONCURRENCY)
      yield found if block_given?
      found
    end

    def default_capsule(&block)
      capsule("default", &block)
    end

    # Sets how the app's own connections are opened; the server's go by its flags and environment.
    #
    # @example
    #   config.redis = { url: "redis://localhost:6379/1", size: 20 }
    def redis=(options)
      @redis_options = options.to_h.transform_keys(&:to_sym)
      @redis_pool = nil
    end

    # Whether the app has said how.
    def redis_given?
      !@redis_options.empty?
    end

    # Lends a connection of redis-client, or else of redis.
    def redis(&block)
      Mawashi::RedisPool.lend(redis_pool, &block)
    end

    # @return [Mawashi::RedisPool] opens no connection before one is asked for
    def redis_pool
      @redis_pool ||= begin
        options = @redis_options
        size = options[:size] || [CONCURRENCY, capsules.each_value.sum(&:concurrency)].max
        Mawashi::RedisPool.new(size) { Mawashi::RedisDriver.open(options) }
      end
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

    # Has a block called when the server starts, falls quiet, stops or exits, or at its first or each beat.
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
