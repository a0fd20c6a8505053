# frozen_string_literal: true

require "mawashi/boot"
require "mawashi/load_watch"

module Mawashi
  # One boot of an app to see what fails, for `mawashi doctor --boot`, in a process that does nothing else.
  #
  # An answer is empty where the app has loaded, or has the six words of {AppRedis.meet}. Otherwise it has seven: kind of
  # the fault, what was required or loaded, the line, what happened there, the remedy or "", the gem or "", and "last"
  # where the boot cannot go on without it.
  module BootTrial
    BUNDLE = "have JRuby install the app's gems: mawashi jruby -S bundle install"
    private_constant :BUNDLE

    class << self
      # @param skipped [Array<String>] what fails, as earlier boots have found
      # @param folder [String] of the app
      def prepare(skipped, folder)
        LoadWatch.start(skipped, folder)
      end

      # @return [Array<String>] an answer
      def call(flags, redis_url)
        @entry = File.expand_path(flags.fetch(:require, "."))
        redis = Boot.call(flags, redis_url).app_redis
        redis == AppRedis::NONE ? [] : redis
      rescue Exception => e # rubocop:disable Lint/RescueException -- whatever the app raises is the answer
        e.is_a?(SystemExit) ? exited(e, e.status) : raised(e)
      end

      # @return [Array<String>] the answer for a boot that is not done and does not go on
      def hanging(seconds)
        under_way("hang", "was not done after #{seconds} s")
      end

      # @return [Array<String>] the answer while the process is ended from within
      def ending
        under_way("exit", "ended the process")
      end

      # @param status [Integer] with which `exit!` has ended the boot
      # @return [Array<String>] the answer
      def ended(status)
        exited(nil, status)
      end

      private

      def raised(error)
        return ["refused", "", "", error.message, "", "", "last"] if error.is_a?(Error)

        origin, passed = origin(error)
        feature, requirer = culprit(passed)
        lines = origin.backtrace.to_a
        kind = kind(origin, feature)
        place = kind == "missing" && !requirer.empty? ? requirer : LoadWatch.place(lines)
        ending = last?(feature) ? "last" : ""
        [kind, feature, place, said(origin), remedy(origin, lines), gem_of(lines), ending]
      end

      # What was raised first of all errors that have passed through a `require`.
      def origin(error)
        causes = [error]
        causes << causes.last.cause while causes.last.cause
        found = causes.reverse.find { |one| LoadWatch.passed_by(one).any? } || error
        [found, LoadWatch.passed_by(found)]
      end

      # Without the innermost that is the app's own, whatever a gem lacks would show again and again.
      def culprit(passed)
        passed.find { |feature, requirer| LoadWatch.in_app?(feature) || LoadWatch.in_app?(requirer) } ||
          passed.first || ["", ""]
      end

      def kind(error, feature)
        return "raised" unless error.is_a?(LoadError)

        error.path.nil? || error.path == feature ? "missing" : "incomplete"
      end

      # Of what the message says, the first line; further ones are Ruby's hints.
      def said(error)
        "#{error.class}: #{error.message.to_s.scrub.lines.first.to_s.strip}"
      end

      def remedy(error, lines)
        return BUNDLE if error.class.name.to_s.start_with?("Bundler::") && error.cause.nil?
        return "" unless error.is_a?(LoadError) || error.is_a?(NameError)

        LoadRemedy.native(lines) || (LoadRemedy.of(error.path) if error.is_a?(LoadError)) || ""
      end

      def gem_of(lines)
        place = lines.find { |line| !line.start_with?("org/jruby", "uri:") } or return ""
        found = Gem.loaded_specs.values.find { |gem| place.start_with?("#{gem.full_gem_path}/") }
        found ? found.name : ""
      end

      def exited(error, status)
        feature, requirer = culprit(LoadWatch.passed_by(error))
        place = error ? LoadWatch.place(error.backtrace.to_a) : requirer
        said = error && !["exit", ""].include?(error.message) ? " (#{error.message.lines.first.strip})" : ""
        last = last?(feature) ? "last" : ""
        ["exit", feature, place, "calls exit with status #{status}#{said}", "", "", last]
      end

      def under_way(kind, text)
        [kind, LoadWatch.loading.to_s, LoadWatch.place(LoadWatch.backtrace), text, "", "", "last"]
      end

      # The app itself.
      def last?(feature)
        feature.empty? || [@entry, @entry.delete_suffix(".rb"), File.join(@entry, "config/environment.rb")].include?(feature)
      end
    end
  end
end
