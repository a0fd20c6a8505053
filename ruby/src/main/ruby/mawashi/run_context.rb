# frozen_string_literal: true

module Mawashi
  # The `_context` of a job instance: it shows long jobs that the server is stopping.
  class RunContext
    # @param sidekiq [#launcher, nil] learns of the stop too
    def initialize(sidekiq = nil)
      @sidekiq = sidekiq
      @stopping = false
    end

    # @example
    #   return if _context.stopping?
    def stopping?
      @stopping
    end

    # The server calls this once, when it begins to stop.
    def stop
      @stopping = true
      @sidekiq&.launcher&.learn_of_stop
    end
  end
end
