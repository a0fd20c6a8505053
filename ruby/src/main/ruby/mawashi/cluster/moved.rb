# frozen_string_literal: true

module Mawashi
  module Cluster
    # A node's answer that it does not run a command, since the slot is elsewhere or on its way.
    class Moved
      FORM = /\A(MOVED|ASK|TRYAGAIN|CLUSTERDOWN)\b/.freeze
      # Of a transaction of which a command was refused.
      ABORTED = /\A(EXECABORT)\b/.freeze
      TARGET = /\AMOVED \d+ (\S*):(\d+)/.freeze
      private_constant :FORM, :ABORTED, :TARGET

      # @param replies [Array]
      # @return [Moved, nil] the first
      def self.among(replies)
        found = replies.find { |reply| reply.is_a?(Exception) && FORM.match?(reply.message) }
        new(found.message) if found
      end

      # @return [Boolean] whether the reply says that nothing was done
      def self.undone?(reply)
        reply.is_a?(Exception) && (FORM.match?(reply.message) || ABORTED.match?(reply.message))
      end

      attr_reader :message

      def initialize(message)
        @message = message
      end

      # Whether the same node may take it soon: while the slot is on its way, or others elect a new owner of some slot.
      def soon?
        !message.start_with?("MOVED")
      end

      # Whether the node may not be the owner any more.
      def doubtful?
        message.start_with?("MOVED", "CLUSTERDOWN")
      end

      # @return [Array(String, Integer), nil] host and port of the new owner. The host is "" for that of the same node
      def target
        TARGET.match(message) { |found| [found[1], found[2].to_i] }
      end
    end
  end
end
