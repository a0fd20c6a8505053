# frozen_string_literal: true

module Mawashi
  # The app's Gemfile, which says what gems may be loaded.
  module AppBundle
    class << self
      # Bundler.setup is what "bundler/setup" does, except that it raises where that exits. Does nothing for an app
      # without a Gemfile.
      #
      # @param path [String] of the app, a file or directory
      def set_up(path)
        gemfile = gemfile_for(path) or return
        ENV["BUNDLE_GEMFILE"] = gemfile
        require "bundler"
        Bundler.setup
        keep_out_of_programs if RUBY_ENGINE == "jruby"
      rescue StandardError => e
        raise unless RUBY_ENGINE == "jruby" && e.class.name == "Bundler::RubyVersionMismatch"

        raise Error, "#{e.message}: to a Gemfile JRuby #{JRUBY_VERSION} is Ruby #{RUBY_VERSION} (name a range of " \
                     "versions there, such as ruby \">= 3.1\", or run with --runner mri)"
      end

      private

      def gemfile_for(path)
        given = ENV["BUNDLE_GEMFILE"]
        return given unless given.nil? || given.empty?

        [path, "."].flat_map { |start| and_above(File.expand_path(start)) }
                   .map { |folder| File.join(folder, "Gemfile") }.find { |file| File.file?(file) }
      end

      # Bundler has each Ruby that the app starts load Bundler's own files, which on JRuby are in the server's jar.
      # Rubies from 3.3 on load what BUNDLER_SETUP names.
      def keep_out_of_programs
        ENV.delete("BUNDLER_SETUP") if ENV["BUNDLER_SETUP"]&.start_with?("uri:classloader:")
        { "RUBYOPT" => /-ruri:classloader:\S*\s*/, "RUBYLIB" => /(\A|:)uri:classloader:[^:]*/ }.each do |name, ours|
          left = ENV[name].to_s.gsub(ours, "").delete_prefix(":").strip
          ENV[name] = left.empty? ? nil : left
        end
      end

      def and_above(path)
        above = File.dirname(path)
        above == path ? [path] : [path, *and_above(above)]
      end
    end
  end
end
