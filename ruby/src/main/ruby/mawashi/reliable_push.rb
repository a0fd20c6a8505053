# frozen_string_literal: true

require "sidekiq"
require "mawashi/backlog"

module Mawashi
  # Keeps jobs that an app enqueues while Redis does not answer, and sends them, in their order, when it does. It is
  # Sidekiq Pro's `reliable_push!` for any sidekiq gem and for the shipped API.
  #
  # @example in an initializer
  #   require "mawashi/reliable_push"
  #   Sidekiq::Client.reliable_push! unless Rails.env.test?
  module ReliablePush
    # Redis answers, and stores nothing for the time being.
    NOT_NOW = /\A(READONLY|LOADING|MASTERDOWN|NOREPLICAS|MISCONF|CLUSTERDOWN|TRYAGAIN|ASK|MOVED)\b/.freeze
    private_constant :NOT_NOW

    # Goes before the client's own methods.
    module Sending
      private

      def raw_push(payloads)
        ReliablePush.backlog(@redis_pool).push(payloads) { |jobs| super(jobs) }
      end
    end

    @backlogs = {}.compare_by_identity
    @lock = Mutex.new

    class << self
      # Has all clients of this process keep what they cannot send. Does nothing in a server: a job that cannot enqueue
      # fails and is run again.
      #
      # @return [Boolean] whether it is on
      def install
        return false if Sidekiq.server?
        return true if Sidekiq::Client.include?(Sending)

        Sidekiq::Client.prepend(Sending)
        at_exit { @backlogs.each_value(&:leave) }
        true
      end

      # @return [Integer] jobs that wait in this process, at most {Backlog::MAX} for each Redis
      def waiting
        @lock.synchronize { @backlogs.values }.sum(&:size)
      end

      # @param pool [#with, nil] that lends connections to the jobs' Redis
      # @return [Backlog]
      def backlog(pool)
        @lock.synchronize { @backlogs[pool] ||= Backlog.new(method(:unreachable?), Sidekiq.logger) }
      end

      private

      # Whether an error says that Redis stores nothing now, but may do so later.
      def unreachable?(error)
        return true if defined?(::RedisClient::ConnectionError) && error.is_a?(::RedisClient::ConnectionError)
        return true if defined?(::Redis::BaseConnectionError) && error.is_a?(::Redis::BaseConnectionError)

        NOT_NOW.match?(error.message)
      end
    end
  end
end

# Pro's own, where it is loaded, stays.
unless Sidekiq::Client.respond_to?(:reliable_push!)
  def (Sidekiq::Client).reliable_push!
    Mawashi::ReliablePush.install
  end
end
