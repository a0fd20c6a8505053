# frozen_string_literal: true

require "logger"
require "mawashi"
require "mawashi/native"

# Sidekiq's API for apps that have no sidekiq gem. It enqueues through the server that runs the
# app, in the payload form of Sidekiq 8.
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
      @logger ||= ::Logger.new($stdout, level: ::Logger::INFO)
    end

    # True: the app runs inside the server.
    def server?
      true
    end

    # @example
    #   Sidekiq.configure_server { |config| config.server_middleware { |chain| chain.add Timing } }
    def configure_server
      yield default_configuration
    end

    # Does nothing: an app that runs inside the server is no mere client.
    def configure_client; end

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
  end
end

require "sidekiq/config"
require "sidekiq/client"
require "sidekiq/job"
