# frozen_string_literal: true

require "mawashi/children/adapter_stop"

module Mawashi
  module Children
    # The `_context` of a forked job. It learns of the stop by a pipe that all forks share: once
    # there is something in it, there always is, since nobody reads it.
    class ForkContext
      # @param launcher [Launcher] learns of the stop by it, and so do those who ask the launcher
      # @return [ForkContext]
      def self.of(launcher)
        new.tap do |context|
          launcher.context = context
          AdapterStop.join(launcher)
        end
      end

      def initialize
        @stop, @stopped = IO.pipe
      end

      # @example
      #   return if _context.stopping?
      def stopping?
        !IO.select([@stop], nil, nil, 0).nil?
      end

      # The server begins to stop.
      def stop
        @stopped.write_nonblock(".", exception: false)
      end
    end
  end
end
