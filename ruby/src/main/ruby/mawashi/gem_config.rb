# frozen_string_literal: true

require "mawashi/job_profile"

module Mawashi
  # The place of the settings of the app's Sidekiq: 6.x in `Sidekiq` itself, 7 and later and the shipped API in
  # a `Sidekiq::Config`. Whoever has a `@config` of its own, a Hash with 6.x, works on that.
  module GemConfig
    # @return [Integer] tries after the first one, where neither job nor class says how many
    def max_retries
      settings[:max_retries] || 25
    end

    # Whether it writes times in milliseconds, as Sidekiq does from 8 on.
    def writes_millis?
      version.empty? || Gem::Version.new(version) >= Gem::Version.new("8")
    end

    # @return [JobProfile, nil] for jobs that ask for a profile; from Sidekiq 8.0 on
    def job_profile
      JobProfile.new if !version.empty? && Gem::Version.new(version) >= Gem::Version.new("8.0")
    end

    # @return [Proc, nil] makes of a backtrace what is worth keeping; from Sidekiq 7.3 on
    def backtrace_cleaner
      settings[:backtrace_cleaner]
    end

    private

    def config?
      Sidekiq.respond_to?(:default_configuration)
    end

    def config
      @config || Sidekiq.default_configuration
    end

    # Sidekiq 6.5 has `Sidekiq[:key]` and warns about `options`; before that there is no other way.
    def settings
      return config if config?

      @config || (Sidekiq.respond_to?(:[]) ? Sidekiq : Sidekiq.options)
    end
  end
end
