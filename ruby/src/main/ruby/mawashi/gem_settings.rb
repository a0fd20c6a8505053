# frozen_string_literal: true

require "mawashi/database_pools"
require "mawashi/gem_config"
require "mawashi/options"

module Mawashi
  # Reads out of the app's Sidekiq what counts for the server, see {CommandSettings} for what was set there before.
  class GemSettings
    include GemConfig

    # What has Sidekiq's command fetch or move jobs in another way.
    UNHEEDED = %i[fetch fetch_class scheduled_enq].freeze
    private_constant :UNHEEDED

    attr_reader :version

    # @param version [String] of the sidekiq gem, "" for the shipped API
    # @param config [Sidekiq::Config, Hash, nil] see {GemConfig}
    def initialize(version, config = nil)
      @version = version
      @config = config
    end

    # Says what has no effect, once the app is loaded.
    def check
      UNHEEDED.each do |key|
        Sidekiq.logger.warn("config[:#{key}] has no effect here: Mawashi fetches and moves jobs itself") if settings[key]
      end
      # Here all of them run in one process, unless config/mawashi.yml has others run some.
      DatabasePools.check(capsules.sum { |_, concurrency| concurrency }) if RUBY_ENGINE == "jruby"
    end

    # What counts now: once the app is loaded, and again once its blocks for the start have run.
    #
    # @return [Array] timeout in seconds, tag or nil, labels, most retries, most jobs in the dead set,
    #   their greatest age in seconds, and of each capsule its name, concurrency and queues with weights
    # @raise [Error] when the app has set what is no number
    def server_settings
      [
        number(:timeout, 25),
        settings[:tag]&.to_s,
        Array(settings[:labels]).map(&:to_s),
        number(:max_retries, 25),
        number(:dead_max_jobs, 10_000),
        number(:dead_timeout_in_seconds, 180 * 24 * 60 * 60),
        capsules
      ]
    end

    private

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
