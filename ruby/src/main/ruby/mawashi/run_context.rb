# frozen_string_literal: true

module Mawashi
  # What a job instance gets as its `_context`: it tells long jobs that the server is stopping.
  class RunContext
    def initialize
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
    end
  end
end
