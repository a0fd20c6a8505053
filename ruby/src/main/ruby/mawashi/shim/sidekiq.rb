# frozen_string_literal: true

require "json"
require "mawashi"
require "mawashi/native"

# Sidekiq's API for apps that have no sidekiq gem, in the payload form of Sidekiq 8. Inside a server it
# enqueues through that, elsewhere through the app's Redis library.
module Sidekiq
  DEFAULT_JOB_OPTIONS = { "retry" => true, "queue" => "default" }.freeze
  private_constant :DEFAULT_JOB_OPTIONS

  # Raised in a job that is still running when the server's patience ends. Do not rescue it.
  class Shutdown < Interrupt; end

  class << self
    # @example
    #   Sidekiq.logger.info("hello")
    attr_writer :logger

    def logger
      @logger ||= Logger.new($stdout, level: ::Logger::INFO)
    end

    # Whether the app runs inside the server.
    def server?
      Mawashi::Native.server?
    end

    def pro?
      false
    end

    def ent?
      false
    end

    # @example
    #   Sidekiq.configure_server { |config| config.server_middleware { |chain| chain.add Timing } }
    def configure_server
      yield default_configuration if server?
    end

    # @example
    #   Sidekiq.configure_client { |config| config.redis = { url: "redis://localhost:6379/1" } }
    def configure_client
      yield default_configuration unless server?
    end

    def configure_embed
      raise Mawashi::Error, "the server cannot be embedded in another process: start it with mawashi run"
    end

    def default_configuration
      @default_configuration ||= Config.new
    end

    # Options of every job class that does not say otherwise.
    def default_job_options
      @default_job_options || DEFAULT_JOB_OPTIONS
    end

    # @example
    #   Sidekiq.default_job_options = { retry: 5 }
    def default_job_options=(options)
      @default_job_options = default_job_options.merge(options.transform_keys(&:to_s))
    end

    # What is done about arguments that would not come back from JSON as they went in: :raise, :warn or false.
    attr_reader :strict_args

    def strict_args!(mode = :raise)
      @strict_args = mode
    end

    # Lends a connection to Redis, for the app's own use.
    #
    # @example
    #   Sidekiq.redis { |connection| connection.call("INCR", "visits") }
    def redis(&block)
      default_configuration.redis(&block)
    end

    def redis_pool
      default_configuration.redis_pool
    end

    def load_json(text)
      JSON.parse(text)
    end

    def dump_json(object)
      JSON.generate(object)
    end

    # Has jobs enqueued after the database transaction around them is committed.
    def transactional_push!
      require "sidekiq/transaction_aware_client"
      TransactionAwareClient.commits
      self.default_job_options = { client_class: TransactionAwareClient }
      true
    end

    # Keeps or runs jobs instead of enqueueing them, see {Testing}.
    #
    # @param mode [Symbol] :fake, :inline or :disable
    def testing!(mode = :fake, &block)
      raise ArgumentError, "Unknown testing mode: #{mode}" unless %i[fake inline disable].include?(mode)

      require "sidekiq/test_api"
      Testing.set(mode, &block)
    end
  end

  strict_args!
end

require "sidekiq/logger"
require "sidekiq/job_logger"
require "sidekiq/config"
require "sidekiq/job_retry"
require "sidekiq/client"
require "sidekiq/job"
require "sidekiq/iterable_job"
