# frozen_string_literal: true

module Mawashi
  # Runs jobs whose payload asks for a profile under Sidekiq's own profiler, which stores it where Sidekiq's page
  # looks. That needs the gem vernier. A job is never worse off for it: it runs once, and what fails is the profile.
  class JobProfile
    # @yieldreturn [#call] the profiler, as Sidekiq's; called for each profile
    def initialize(&profiler)
      @profiler = profiler || -> { sidekiqs }
    end

    # Calls the block once.
    #
    # @param job [Hash] the payload
    def call(job)
      has_begun = is_done = false
      @profiler.call.call(job) do
        has_begun = true
        yield.tap { is_done = true }
      end
    rescue LoadError, StandardError => e
      raise if has_begun && !is_done

      Sidekiq.logger.warn("no profile of #{job["class"]} #{job["jid"]}: #{reason(e)}")
      yield unless has_begun
    end

    private

    def sidekiqs
      require "tmpdir" # which Sidekiq's profiler uses and does not load
      require "sidekiq/profiler"
      Sidekiq::Profiler.new(Sidekiq.default_configuration)
    end

    def reason(error)
      return "#{error.class}: #{error.message}" unless error.is_a?(LoadError)
      return "the gem vernier does not run on JRuby" if RUBY_ENGINE == "jruby"

      "the gem vernier cannot be loaded, add it to the Gemfile"
    end
  end
end
