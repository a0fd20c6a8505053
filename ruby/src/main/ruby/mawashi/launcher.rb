# frozen_string_literal: true

module Mawashi
  # The value of `Sidekiq::CLI.instance.launcher` in jobs. No launcher runs here; it says whether the server stops, which
  # long jobs ask of it.
  class Launcher
    # @param context [#stopping?] knows too, sooner than the blocks for :quiet
    attr_writer :context

    def initialize
      @is_stopping = false
    end

    # @example
    #   break if Sidekiq::CLI.instance.launcher.stopping?
    def stopping?
      @is_stopping || (!@context.nil? && @context.stopping?)
    end

    # The server has begun to stop.
    def learn_of_stop
      @is_stopping = true
    end
  end
end
