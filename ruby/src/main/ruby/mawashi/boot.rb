# frozen_string_literal: true

require "mawashi"
require "mawashi/native"
require "mawashi/class_lookup"
require "mawashi/failure"
require "mawashi/run_context"
require "mawashi/sidekiq_gem"

module Mawashi
  # Loads the app the way Sidekiq's command does: environment, bundle, sidekiq gem, then the app.
  module Boot
    SHIM = File.join(__dir__, "shim")

    class << self
      # @param path [String] a Ruby file, or the directory of a Rails app
      # @param environment [String, nil] what `-e` said
      # @param redis_url [String, nil] the server's Redis, which the app's own sidekiq gem takes too
      # @param concurrency [Integer] how many jobs run at once, for the gem's connection pool
      # @return [SidekiqGem] what the app's Sidekiq offers
      def call(path, environment, redis_url, concurrency)
        check_path(path)
        choose_environment(environment)
        give_redis(redis_url) if redis_url
        set_up_bundle(path)
        sidekiq = load_sidekiq(concurrency)
        load_app(path, sidekiq)
        sidekiq.after_app
        sidekiq
      end

      private

      # What jobs enqueue goes where the server looks for it, also when that came from `--redis`.
      def give_redis(url)
        ENV["REDIS_URL"] = url
        ENV.delete("REDIS_PROVIDER")
      end

      def check_path(path)
        raise Error, "there is no file or directory #{path} (set it with -r)" unless File.exist?(path)
        return unless File.directory?(path) && !rails?(path)

        raise Error, "#{path} is not a Rails application: it has no config/application.rb " \
                     "(point -r at one, or at a Ruby file that loads the job classes)"
      end

      def choose_environment(given)
        chosen = given || ENV["APP_ENV"] || ENV["RAILS_ENV"] || ENV["RACK_ENV"] || "development"
        %w[APP_ENV RAILS_ENV RACK_ENV].each { |name| ENV[name] = chosen }
      end

      # Bundler.setup is what "bundler/setup" does, except that it raises where that exits.
      def set_up_bundle(path)
        gemfile = gemfile_for(path) or return
        ENV["BUNDLE_GEMFILE"] = gemfile
        require "bundler"
        Bundler.setup
      end

      def gemfile_for(path)
        given = ENV["BUNDLE_GEMFILE"]
        return given unless given.nil? || given.empty?

        directory = File.directory?(path) ? path : "."
        [directory, "."].map { |dir| File.expand_path("Gemfile", dir) }.find { |file| File.file?(file) }
      end

      def load_sidekiq(concurrency)
        unless sidekiq_gem?
          $LOAD_PATH.unshift(SHIM)
          require "sidekiq"
          return SidekiqGem.new("", concurrency)
        end
        require "sidekiq"
        # Defines Sidekiq::CLI, which is what makes `Sidekiq.server?` true.
        require "sidekiq/cli"
        SidekiqGem.new(Sidekiq::VERSION, concurrency)
      end

      # Asked rather than tried: for a `require` in vain RubyGems reads every gem there is, which takes
      # a fifth of a second.
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

      def rails?(path)
        File.file?(File.join(path, "config/application.rb"))
      end
    end
  end
end
