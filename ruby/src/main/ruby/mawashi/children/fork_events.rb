# frozen_string_literal: true

module Mawashi
  module Children
    # Calls the app's blocks for lifecycle events in a forker: one after the other, on a thread that is there only
    # then, so that they delay no job.
    class ForkEvents
      def initialize(sidekiq)
        @sidekiq = sidekiq
        @has_beaten = false
      end

      # As a child does: beats that come while blocks run are left out, and the first beat stands for
      # :heartbeat too.
      #
      # @param event [Symbol]
      def fire(event)
        return call_blocks(event) unless event == :beat

        is_late = @thread&.alive?
        call_blocks(:heartbeat) unless @has_beaten
        @has_beaten = true
        call_blocks(:beat) unless is_late
      end

      # Waits until the blocks have ended.
      #
      # @param seconds [Integer] at most so long
      def await(seconds)
        @thread&.join(seconds)
      end

      private

      def call_blocks(event)
        return if @sidekiq.lifecycle_events.fetch(event, []).empty?

        previous = @thread
        @thread = Thread.new do
          previous&.join
          @sidekiq.fire(event)
        end
      end
    end
  end
end
