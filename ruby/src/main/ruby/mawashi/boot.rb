# frozen_string_literal: true

require "mawashi"
require "mawashi/app_bundle"
require "mawashi/app_environment"
require "mawashi/native"
require "mawashi/cancelled"
require "mawashi/class_lookup"
require "mawashi/command_settings"
require "mawashi/digests"
require "mawashi/failure"
require "mawashi/http_start"
require "mawashi/job_log"
require "mawashi/load_remedy"
require "mawashi/options"
require "mawashi/own_signals"
require "mawashi/own_warnings"
require "mawashi/redis_place"
require "mawashi/reliances"
require "mawashi/resque/cron/poller"
require "mawashi/run_context"
require "mawashi/sidekiq_gem"
require "mawashi/thread_dump"
require "mawashi/time_limit_exceeded"
require "mawashi/unique_jobs"

module Mawashi
  # Loads the app the way Sidekiq's command does: environment, bundle, sidekiq gem, then the app.
  module Boot
    SHIM = File.join(__dir__, "shim")
    OWN = File.dirname(__dir__)
    # Where an app with the gem mawashi-sidekiq in its Gemfile finds the same files.
    SHIM_OF_GEM = %r{/mawashi/shim/?\z}.freeze
    private_constant :OWN, :SHIM_OF_GEM

    class << self
      # @param flags [Hash{Symbol=>Object}] of the command line, see {Options.read}; :require is "" where there is no app;
      #   :accept, names that {Reliances} takes; :second, when the server has loaded the app before, in another Ruby or
      #   process; :identity of the server in Redis; :follow, see {GemClient.install}; :resque, the namespace of its Resque
      #   queues; :redact where {GemHandlers#hide_arguments} is to be called; :files to read the files and load no app
      # @param redis_url [String, nil] the server's Redis, which the app's own sidekiq gem takes too
      # @return [SidekiqGem] what the app's Sidekiq offers
      def call(flags, redis_url)
        Native.enter_server
        # As Sidekiq's command does: who watches the log is to see a line when it is written.
        $stdout.sync = true
        [OwnSignals, OwnWarnings].each(&:keep) if RUBY_ENGINE == "jruby"
        hides, second, identity, resque, follow = %i[redact second identity resque follow].map { |flag| flags.delete(flag) }
        environment = AppEnvironment.choose(flags[:environment], origins = Origins.new)
        RedisPlace.give(redis_url) if redis_url
        return settings_of(load_shim(origins), flags, environment, origins) if flags[:require] == ""

        reliances = Reliances.new(flags.delete(:accept).to_a)
        # Before anything is required that a bundle may hold. What has no config file, as the demo, has no bundle.
        AppBundle.set_up(flags.fetch(:require, ".")) unless flags[:config_file] == ""
        return settings_of(load_sidekiq(origins), flags, environment, origins) if flags.delete(:files)

        sidekiq = LoadRemedy.named { load(flags, environment, identity, origins, follow) }
        Resque::Cron::Poller.join(sidekiq, resque) if resque
        sidekiq.relies_on(reliances)
        sidekiq.lifecycle.leave_once_to_others if second
        sidekiq.hide_arguments if hides
        sidekiq.meet_server(identity, follow) if identity && (follow || !second)
        sidekiq
      end

      private

      # The file's ERB may use what the gem has loaded.
      def load(flags, environment, identity, origins, follow)
        sidekiq = load_sidekiq(origins)
        options = Options.read(flags, environment, origins)
        check_path(path = options[:require])
        command = CommandSettings.new(sidekiq.version)
        command.before_app(options, environment)
        # Sidekiq 6 makes a pool of the size that is set by now.
        RedisPlace.offer
        sidekiq.settings_changed_by(nil)
        load_app(path, sidekiq)
        Digests.load
        HttpStart.quicken
        UniqueJobs.guard
        sidekiq.settings_changed_by("the app")
        command.after_app(path, identity)
        sidekiq.settings_changed_by("the app's folder")
        sidekiq.after_app(follow)
        sidekiq
      end

      # For whom only the config file counts.
      def settings_of(sidekiq, flags, environment, origins)
        CommandSettings.new(sidekiq.version).before_app(Options.read(flags, environment, origins), environment)
        sidekiq.settings_changed_by(nil)
      end

      def check_path(path)
        raise Error, "there is no file or directory #{path} (set it with -r)" unless File.exist?(path)
        return if !File.directory?(path) || File.file?(File.join(path, "config/application.rb"))

        raise Error, "#{path} is not a Rails application: it has no config/application.rb " \
                     "(point -r at one, or at a Ruby file that loads the job classes)"
      end

      def load_sidekiq(origins)
        # Of two copies of the shipped files the server's own count.
        $LOAD_PATH.reject! { |directory| SHIM_OF_GEM.match?(directory.to_s) || directory.to_s == OWN }
        $LOAD_PATH.unshift(OWN)
        return load_shim(origins) unless sidekiq_gem?

        require "sidekiq"
        # Defines Sidekiq::CLI, which is what makes `Sidekiq.server?` true.
        require "sidekiq/cli"
        command = Sidekiq::CLI.instance
        command.config = Sidekiq.default_configuration if Sidekiq.respond_to?(:default_configuration)
        SidekiqGem.new(Sidekiq::VERSION, origins)
      end

      def load_shim(origins)
        $LOAD_PATH.unshift(SHIM, OWN)
        uncover("logger")
        require "sidekiq"
        SidekiqGem.new("", origins)
      end

      # From Ruby 4.0 on logger is a gem, and a bundle that does not name it hides it.
      def uncover(name)
        require name
      rescue LoadError
        $LOAD_PATH.concat(Dir[File.join(Gem.default_dir, "gems", "#{name}-*", "lib")])
      end

      # Asked rather than tried: a `require` in vain has RubyGems read every gem there is, for a fifth of a second.
      def sidekiq_gem?
        Gem.loaded_specs.key?("sidekiq") ||
          Gem::Specification.stubs_for("sidekiq").any? ||
          $LOAD_PATH.any? { |directory| File.file?(File.join(directory, "sidekiq.rb")) }
      end

      def load_app(path, sidekiq)
        if File.directory?(path)
          require "rails"
          require "sidekiq/rails" unless sidekiq.shipped?
          require File.expand_path("config/environment.rb", path)
        else
          require File.expand_path(path)
        end
      end
    end
  end
end
