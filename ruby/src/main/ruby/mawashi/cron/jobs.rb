# frozen_string_literal: true

require "mawashi/namespaced_calls"

module Mawashi
  # The schedules of an app's gem sidekiq-cron. The gem keeps them in Redis, and its API changes them there. Its poller,
  # which would enqueue their jobs, is a part of Sidekiq's launcher, which does not run here.
  module Cron
    # Reads the gem's schedules, whichever version wrote them: 1.x has one set of them, 2.x one in each namespace.
    module Jobs
      SLICE = 1_000
      PUBLISHED_SECONDS = 7 * 24 * 60 * 60
      private_constant :SLICE, :PUBLISHED_SECONDS

      class << self
        # Whether the app has the gem.
        def there?
          !defined?(::Sidekiq::Cron::Job).nil?
        end

        # @return [Integer] seconds after which changes count; 0 where the app wants no schedule to enqueue anything
        def poll_seconds
          return configuration.cron_poll_interval.to_i if configuration

          [(options[:cron_poll_interval] || 30).to_i, 0].max
        end

        # @return [Numeric] seconds after which a missed time is left out
        def grace_seconds
          configuration.respond_to?(:reschedule_grace_period) ? configuration.reschedule_grace_period : 60
        end

        # Has a gem of 2.x take over what 1.x has written, as its poller does at its start.
        def take_over
          type = ::Sidekiq::Cron::Job
          type.migrate_old_jobs_if_needed! if type.respond_to?(:migrate_old_jobs_if_needed!)
        end

        # @return [Array<String>] the keys of the sets
        def sets
          return [::Sidekiq::Cron::Job.jobs_key] unless defined?(::Sidekiq::Cron::Namespace)

          ::Sidekiq::Cron::Namespace.all.map { |namespace| ::Sidekiq::Cron::Job.jobs_key(namespace) }
        end

        # Names sets that people who look cannot guess.
        def publish
          others = sets - %w[cron_jobs cron_jobs:default]
          return if others.empty?

          ::Sidekiq.redis do |connection|
            NamespacedCalls.on(connection).pipelined do |pipeline|
              pipeline.call("SADD", "mw:cron:gem", *others)
              pipeline.call("EXPIRE", "mw:cron:gem", PUBLISHED_SECONDS)
            end
          end
        end

        # @yieldparam key [String] of something that cannot be read, which hides nothing else
        # @yieldparam error [StandardError]
        # @return [Hash{String=>Array<String>}] line and status of each schedule by its key
        def lines(&block)
          keys = sets.flat_map { |set| each_alone([set], block) { |at, one| at.smembers(one) }.first || [] }
          found = keys.uniq.each_slice(SLICE).flat_map do |slice|
            slice.zip(each_alone(slice, block) { |at, key| at.hmget(key, "cron", "status") })
          end
          found.to_h.select { |_, values| values&.any? }
        end

        # @param key [String] of a schedule
        # @return [Sidekiq::Cron::Job, nil] as it is now, nil when it is gone
        # @raise when what is there is none
        def find(key)
          fields = ::Sidekiq.redis { |connection| connection.hgetall(key) }
          ::Sidekiq::Cron::Job.new(fields.merge("fetch_missing_args" => false)) unless fields.empty?
        end

        # Whether an error says that Redis does not answer.
        def unreachable?(error)
          types = []
          types << ::Redis::BaseConnectionError if defined?(::Redis::BaseConnectionError)
          types << ::RedisClient::ConnectionError if defined?(::RedisClient::ConnectionError)
          types.any? { |type| error.is_a?(type) }
        end

        private

        def configuration
          ::Sidekiq::Cron.configuration if ::Sidekiq::Cron.respond_to?(:configuration)
        end

        # Of a gem without a configuration, where its own poller looks: from 1.7 on a module of the gem's knows.
        def options
          return ::Sidekiq::Options if defined?(::Sidekiq::Options)

          ::Sidekiq.respond_to?(:[]) ? ::Sidekiq : ::Sidekiq.options
        end

        # All in one round trip, unless one is refused; then each in its own.
        def each_alone(keys, refused)
          ::Sidekiq.redis do |connection|
            connection.pipelined { |pipeline| keys.each { |key| yield pipeline, key } }
          end
        rescue StandardError => e
          raise if unreachable?(e)

          keys.map { |key| alone(key, refused) { |connection| yield connection, key } }
        end

        def alone(key, refused, &block)
          ::Sidekiq.redis(&block)
        rescue StandardError => e
          raise if unreachable?(e)

          refused.call(key, e)
          nil
        end
      end
    end
  end
end
