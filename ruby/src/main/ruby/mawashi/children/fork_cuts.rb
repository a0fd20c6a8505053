# frozen_string_literal: true

require "mawashi/cancelled"
require "mawashi/time_limit_exceeded"

module Mawashi
  module Children
    # Ends forks one by one: has them raise an error, or kills them.
    class ForkCuts
      # The signals that have a fork raise an error, by the error.
      SIGNALS = { TimeLimitExceeded => "TERM", Cancelled => "USR2" }.freeze
      private_constant :SIGNALS

      # Takes those signals. The server knows the error's message, and puts it in the place of this one.
      #
      # @yield [Cut] what is to be raised
      def self.hear
        SIGNALS.each { |error, name| Signal.trap(name) { yield error.new("ended by the server") } }
      end

      # @param slots [Array<ForkSlot>] where jobs run at the moment
      def initialize(slots)
        @slots = slots
        @cut = {}.compare_by_identity
      end

      # Raises an error in one job, once.
      #
      # @param id [Integer] of the job
      # @param name_bytes [Integer] length of the error's name
      # @param text [String] name and message
      def raise_in(id, name_bytes, text)
        slot = running(id)
        return if slot.nil? || @cut[slot] == id

        @cut[slot] = id
        name = text.byteslice(0, name_bytes)
        Process.kill(SIGNALS.find { |error, _| error.name == name }.last, slot.pid)
      end

      # Kills the process of one job, and those that it started.
      #
      # @param id [Integer] of the job
      def kill(id)
        running(id)&.kill
      end

      private

      def running(id)
        @slots.find { |slot| slot.id == id }
      end
    end
  end
end
