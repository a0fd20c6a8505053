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
      end

      private

      def gemfile_for(path)
        given = ENV["BUNDLE_GEMFILE"]
        return given unless given.nil? || given.empty?

        directory = File.directory?(path) ? path : "."
        [directory, "."].map { |dir| File.expand_path("Gemfile", dir) }.find { |file| File.file?(file) }
      end
    end
  end
end
