# frozen_string_literal: true

require "mawashi/gem_config"
require "mawashi/options"
require "mawashi/periodic"

module Mawashi
  # Sets in the app's Sidekiq what Sidekiq's own command would: what the command line and the config file say before
  # the app is loaded, which may change it, and afterwards what the app has left open.
  class CommandSettings
    include GemConfig

    DEFAULT_QUEUES = ["default"].freeze
    private_constant :DEFAULT_QUEUES

    # @return [String] of the sidekiq gem, "" for the shipped API
    attr_reader :version

    # @param version [String] see {#version}
    # @param config [Sidekiq::Config, Hash, nil] see {GemConfig}
    def initialize(version, config = nil)
      @version = version
      @config = config
    end

    # @param options [Hash{Symbol=>Object}] see {Options.read}; :log_json has the logger begin with that formatter
    # @param environment [String] of the app
    def before_app(options, environment)
      Sidekiq.logger.formatter = Sidekiq::Logger::Formatters::JSON.new if options.delete(:log_json)
      command.environment = environment if command
      Periodic.allow
      set(options, environment)
      add_error_handler if Sidekiq.respond_to?(:default_error_handler)
      Sidekiq.logger.level = Logger::DEBUG if options[:verbose] || ENV["DEBUG_INVOCATION"] == "1"
    end

    # Sets the options and nothing else.
    def set(options, environment)
      options[:queues] = DEFAULT_QUEUES.dup if options[:queues].nil? || (options[:queues].empty? && !config?)
      config? ? configure_capsules(options, environment) : configure_pool(options)
    end

    # @param path [String] of what was loaded
    # @param identity [String, nil] of the server, as it stands in Redis
    def after_app(path, identity)
      tag = default_tag(path) if command && settings[:tag].nil?
      settings[:tag] = tag if tag
      identify(identity) if identity
    end

    private

    # What runs here in its place is the server.
    def command
      Sidekiq::CLI.instance if defined?(Sidekiq::CLI)
    end

    # Sidekiq 8 has a tag for each app, those before for Rails' alone.
    def default_tag(path)
      rails = ::Rails.root if File.directory?(path)
      return command.default_tag(*rails) if command.respond_to?(:default_tag)

      command.send(:default_tag) if rails
    end

    # Also where the gem's own code asks who this is.
    def identify(identity)
      settings[:identity] = identity
      part = command&.class&.ancestors&.find { |ancestor| ancestor.method_defined?(:identity, false) }
      part&.class_variable_set(:@@identity, identity)
    end

    # In Sidekiq 6.5 it is the command that adds the one that logs.
    def add_error_handler
      settings[:error_handlers].replace([Sidekiq.method(:default_error_handler)])
    end

    # From Sidekiq 7 on the queues of the settings are as they were given, and only capsules know their weights.
    def configure_capsules(options, environment)
      config.merge!(options.merge(environment: environment))
      apply(config.default_capsule, options)
      (options[:capsules] || {}).each do |name, pool|
        config.capsule(name.to_s) { |capsule| apply(capsule, pool) }
      end
    end

    def apply(capsule, pool)
      capsule.concurrency = pool[:concurrency] if pool[:concurrency]
      capsule.queues = pool[:queues] if pool[:queues]
    end

    # Sidekiq 6 repeats a queue as often as its weight says.
    def configure_pool(options)
      if options[:capsules]
        raise Error, "capsules need Sidekiq 7 or later, and the app has #{version}"
      end

      queues = Options.weights(options[:queues])
      options[:queues] = queues.flat_map { |name, weight| [name] * [weight, 1].max }
      options[:strict] = queues.all? { |_, weight| weight.zero? }
      options.each { |key, value| settings[key] = value }
    end
  end
end
