# frozen_string_literal: true

require "mawashi/children/fork_slot"

module Mawashi
  module Children
    # The places of a forker: which of them are free, and whose a stream is.
    class ForkPlaces
      # @return [Array<ForkSlot>] where forks run
      attr_reader :busy

      # @param count [Integer] jobs that run at once
      def initialize(count)
        @slots = Array.new(count) { |number| ForkSlot.new(number) }
        @free = @slots.reverse
        @busy = []
        watch
      end

      # Waits until something can be read. What forks have not heard yet is sent to them meanwhile.
      #
      # @param others [Array<IO>] what else is to be waited for
      # @param seconds [Float, nil] at most so long
      # @return [Array<IO, ForkSocket>] what can be read
      def wait(others, seconds)
        unheard = @busy.map(&:socket).select(&:unheard?)
        ready, hearing = IO.select([*others, *@streams], unheard, nil, seconds)
        hearing&.each(&:say)
        ready || []
      end

      # Whether a job can begin.
      def free?
        !@free.empty?
      end

      # @return [ForkSlot] where the next job begins
      def free
        @free.last
      end

      # Whether a job can be given up.
      def free_for_death?
        @for_death.nil? || @for_death.pid.nil?
      end

      # A place for jobs that are given up, which wait for none that runs. It is opened when there is one, since
      # each fork has to close what belongs to other places.
      #
      # @return [ForkSlot]
      def for_death
        @for_death ||= ForkSlot.new(@slots.size).tap do |slot|
          @slots << slot
          watch
        end
      end

      # @return [Boolean] whether jobs are given up there
      def for_death?(slot)
        slot.equal?(@for_death)
      end

      # @param stream [IO, ForkSocket] see {#wait}
      # @return [ForkSlot, nil]
      def of(stream)
        @slot_of[stream]
      end

      # A fork runs here from now on.
      def take(slot)
        @free.pop if slot.equal?(@free.last)
        @busy << slot
      end

      # The fork that ran here was reaped.
      def leave(slot)
        slot.close
        slot.socket.renew unless slot.well && slot.socket.quiet?
        @busy.delete(slot)
        @free << slot unless for_death?(slot)
      end

      # In a fork: closes what belongs to others.
      #
      # @param here [ForkSlot] where it runs
      def isolate(here)
        @slots.each { |slot| slot.isolate(slot.equal?(here)) }
      end

      private

      def watch
        @slot_of = {}.compare_by_identity
        @slots.each { |slot| @slot_of[slot.socket] = @slot_of[slot.output.stream] = slot }
        @streams = @slot_of.keys
      end
    end
  end
end
