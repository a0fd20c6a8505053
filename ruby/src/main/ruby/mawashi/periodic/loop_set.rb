# frozen_string_literal: true

module Mawashi
  module Periodic
    # The entries of the app, as `Sidekiq::Periodic::LoopSet`.
    class LoopSet
      include Enumerable

      # @yieldparam entry [Entry]
      def each(&block)
        return enum_for unless block

        Periodic.registry.entries.each(&block)
        self
      end

      def size
        Periodic.registry.entries.size
      end

      # @return [Entry, nil] the one with this id
      def fetch(lid)
        find { |entry| entry.lid == lid }
      end
    end
  end
end
