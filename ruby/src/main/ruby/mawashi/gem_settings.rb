# frozen_string_literal: true

require "mawashi/database_pools"
require "mawashi/gem_config"
require "mawashi/options"

module Mawashi
  # Writes options into the app's Sidekiq before the app is loaded, which may change them, and reads out
  # what counts afterwards.
  class GemSettings
    include GemConfig

    # What has Sidekiq's command fetch or move jobs in another way.
    UNHEEDED = %i[fetch fetch_class scheduled_enq].freeze
    private_constant :UNHEEDED

    attr_reader :version

    # @param version [String] of the sidekiq gem, "" for the shipped API
    def initialize(version)
      @version = version
    end

    # Sets what the command line and the config file say, before the app is loaded, which may change it.
    #
    # @param options [Hash{Symbol=>Object}] see {Options.read}; :log_json has the logger begin with that formatter
    def configure(options)
      Sidekiq.logger.formatter = Sidekiq::Logger::Formatters::JSON.new if options.delete(:log_json)
      pools = %i[concurrency queues capsules]
      options.each { |key, value| settings[key] = value unless pools.include?(key) }
      config? ? configure_capsules(options) : configure_pool(options)
      add_error_handler if Sidekiq.respond_to?(:default_error_handler)
      Sidekiq.logger.level = Logger::DEBUG if options[:verbose] || ENV["DEBUG_INVOCATION"] == "1"
    end

    # What counts once the app is loaded.
    #
    # @return [Array] timeout in seconds, tag or nil, labels, most retries, most jobs in the dead set,
    #   their greatest age in seconds, and of each capsule its name, concurrency and queues with weights
    # @raise [Error] when the app has set what is no number
    def server_settings
      tell_of_unheeded
      pools = capsules
      # Here all of them run in one process, unless config/mawashi.yml has others run some.
      DatabasePools.check(pools.sum { |_, concurrency| concurrency }) if RUBY_ENGINE == "jruby"
      [
        number(:timeout, 25),
        settings[:tag]&.to_s,
        settings[:labels].to_a.map(&:to_s),
        number(:max_retries, 25),
        number(:dead_max_jobs, 10_000),
        number(:dead_timeout_in_seconds, 180 * 24 * 60 * 60),
        pools
      ]
    end

    private

    def tell_of_unheeded
      UNHEEDED.each do |key|
        Sidekiq.logger.warn("config[:#{key}] has no effect here: Mawashi fetches and moves jobs itself") if settings[key]
      end
    end

    # In Sidekiq 6.5 it is the command that adds the one that logs.
    def add_error_handler
      settings[:error_handlers].replace([Sidekiq.method(:default_error_handler)])
    end

    # The setting of that name means nothing to the capsules, but apps read it.
    def configure_capsules(options)
      settings[:concurrency] = options[:concurrency] if options[:concurrency]
      apply(config.default_capsule, options)
      (options[:capsules] || {}).each do |name, pool|
        config.capsule(name.to_s) { |capsule| apply(capsule, pool) }
      end
    end

    def apply(capsule, pool)
      capsule.concurrency = pool[:concurrency] if pool[:concurrency]
      capsule.queues = pool[:queues].map { |name, weight| weight.zero? ? name : "#{name},#{weight}" } if pool[:queues]
    end

    # Sidekiq 6 repeats a queue as often as its weight says.
    def configure_pool(options)
      if options[:capsules]
        raise Error, "capsules need Sidekiq 7 or later, and the app has #{version}"
      end

      settings[:concurrency] = options[:concurrency] if options[:concurrency]
      queues = options[:queues] or return
      settings[:queues] = queues.flat_map { |name, weight| [name] * [weight, 1].max }
      settings[:strict] = queues.all? { |_, weight| weight.zero? }
    end

    def capsules
      return config.capsules.map { |name, pool| [name.to_s, slots(name, pool.concurrency), weights(pool)] } if config?

      queues = settings[:queues].to_a.map(&:to_s)
      queues = ["default"] if queues.empty?
      is_strict = settings.fetch(:strict, true)
      [["default", slots("default", settings[:concurrency]), queues.tally.map { |name, count| [name, is_strict ? 0 : count] }]]
    end

    def slots(name, concurrency)
      return concurrency if concurrency.is_a?(Integer) && Options::CONCURRENCY.cover?(concurrency)

      raise Error, "concurrency of capsule #{name} is #{concurrency.inspect}, must be a whole number from 1 to " \
                   "#{Options::CONCURRENCY.max}"
    end

    # 7.0.0 knows only the repeated names.
    def weights(capsule)
      return capsule.weights.map { |name, weight| [name.to_s, weight] } if capsule.respond_to?(:weights)

      counts = capsule.queues.tally
      counts.map { |name, count| [name.to_s, counts.values.all?(1) ? 0 : count] }
    end

    def number(key, default)
      value = settings[key]
      return default if value.nil?
      return value if value.is_a?(Numeric) && value >= 0

      raise Error, "#{key} is #{value.inspect}, must be a number, 0 or more"
    end
  end
end
