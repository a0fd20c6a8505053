# frozen_string_literal: true

require "mawashi/gem_client"
require "mawashi/launcher"
require "mawashi/lifecycle"

module Mawashi
  # The moments of the server's life, as the app's Sidekiq hears of them.
  module GemEvents
    # @return [Lifecycle]
    def lifecycle
      @lifecycle ||= Lifecycle.new(self)
    end

    # @return [Launcher] what jobs find in the place of Sidekiq's
    def launcher
      @launcher ||= Launcher.new
    end

    # Calls the app's blocks, see {Lifecycle#fire}. Those for the start may have made capsules, which want pools too.
    def fire(event)
      launcher.learn_of_stop if event == :quiet
      lifecycle.fire(event)
      return unless event == :startup && !shipped?

      GemClient.learn(make_pools)
      show_start
    end

    # Blocks that the app gave to `config.on`, by event.
    def lifecycle_events
      shipped? ? config.lifecycle_events : settings[:lifecycle_events]
    end

    private

    # After the start Sidekiq has a launcher, and freezes its settings.
    def show_start
      Sidekiq::CLI.instance.launcher = launcher
      Sidekiq.freeze! if Sidekiq.respond_to?(:freeze!) && !lifecycle.waits?
    end
  end
end
