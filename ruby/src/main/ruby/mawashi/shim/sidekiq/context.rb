# frozen_string_literal: true

module Sidekiq
  # The fields of the current thread's log lines beside their message: of a job its jid and class, and
  # whatever else is added.
  module Context
    KEY = :sidekiq_context
    private_constant :KEY

    class << self
      # @return [Hash] belongs to the thread
      def current
        Thread.current[KEY] ||= {}
      end

      # @example
      #   Sidekiq::Context.add(:customer, 17)
      def add(key, value)
        current[key] = value
      end

      # Adds for the duration of a block.
      #
      # @example
      #   Sidekiq::Context.with(customer: 17) { Sidekiq.logger.info("billed") }
      def with(hash)
        before = current.dup
        current.merge!(hash)
        yield
      ensure
        Thread.current[KEY] = before
      end
    end
  end
end
