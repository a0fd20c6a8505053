# frozen_string_literal: true

require "mawashi/app_environment"
require "mawashi/command_settings"
require "mawashi/gem_settings"
require "mawashi/options"
require "mawashi/origins"

module Mawashi
  # The settings that flags and the config file give by now, without what the app's code makes of them. They are read
  # beside an app that runs, and change nothing in it.
  module FileSettings
    # Those about the settings themselves.
    FLAGS = %i[require config_file environment tag concurrency timeout queues].freeze
    private_constant :FLAGS

    # @param version [String] of the sidekiq gem, "" for the shipped API
    # @param flags [Hash{Symbol=>Object}] see {Boot.call}
    # @return [Array] see {SidekiqGem#server_settings}
    # @raise [Error] when the file cannot be read or says what cannot be meant
    def self.read(version, flags)
      environment = AppEnvironment.choose(flags[:environment], origins = Origins.new)
      options = Options.read(flags.slice(*FLAGS), environment, origins)
      config = Sidekiq.respond_to?(:default_configuration) ? Sidekiq::Config.new : Sidekiq::DEFAULTS.dup
      CommandSettings.new(version, config).set(options, environment)
      settings = GemSettings.new(version, config).server_settings
      [*settings, origins.of(settings), "[]"]
    end
  end
end
