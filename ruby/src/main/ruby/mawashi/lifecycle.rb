# frozen_string_literal: true

require "mawashi/error_handlers"

module Mawashi
  # The blocks that the app gave to `config.on`.
  class Lifecycle
    REVERSED = %i[quiet shutdown exit].freeze
    CONTEXT = "Exception during Sidekiq lifecycle event."
    private_constant :REVERSED, :CONTEXT

    # @param sidekiq [SidekiqGem]
    def initialize(sidekiq)
      @sidekiq = sidekiq
      @error_handlers = ErrorHandlers.new(sidekiq)
    end

    # Calls the blocks for a moment as Sidekiq does: each once, but those for :beat at each beat.
    #
    # @param event [Symbol] :startup, :heartbeat, :beat, :quiet, :shutdown or :exit
    # @raise what a block for :startup raises; the server must not start then
    def fire(event)
      blocks = @sidekiq.lifecycle_events.fetch(event, [])
      blocks = event == :beat ? blocks.dup : blocks.slice!(0..)
      blocks.reverse! if REVERSED.include?(event)
      blocks.each do |block|
        block.call
      rescue => e
        @error_handlers.call(e, context: CONTEXT, event: event)
        raise if event == :startup
      end
    end
  end
end
