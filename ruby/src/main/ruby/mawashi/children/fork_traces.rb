# frozen_string_literal: true

require "mawashi/children/fork_run"

module Mawashi
  module Children
    # Reports to the server where forks are, as each says itself when it gets to. One that ends before it did has
    # nothing to say. Of two requests the later one counts.
    class ForkTraces
      # @param link [Link] to the server
      def initialize(link)
        @link = link
        @request = nil
        @waiting = []
      end

      # Asks those that run a job, or all of them.
      #
      # @param body [String] the request's number, and the job's id or 0
      # @param slots [Array<ForkSlot>] where jobs run
      def ask(body, slots)
        @request, id = body.unpack("Q>Q>")
        asked = slots.select { |slot| id.zero? || slot.id == id }
        @waiting = asked.map(&:pid)
        report(Process.pid, "") if @waiting.empty?
        asked.each { |slot| Process.kill(ForkRun::REPORT, slot.pid) }
      end

      # Takes what a fork says of itself.
      #
      # @param pid [Integer] of the fork
      # @param text [String] "" when it has ended
      def take(pid, text)
        report(pid, text) if @waiting.delete(pid)
      end

      private

      def report(pid, text)
        @link.write("M", [@request, @waiting.size, pid].pack("Q>NN") << text)
      end
    end
  end
end
