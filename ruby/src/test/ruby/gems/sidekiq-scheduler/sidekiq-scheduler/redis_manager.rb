# frozen_string_literal: true

module SidekiqScheduler
  # The gem's keys.
  module RedisManager
    class << self
      attr_accessor :key_prefix

      def schedules_key
        "#{key_prefix}schedules"
      end

      def pushed_job_key(name)
        "#{key_prefix}sidekiq-scheduler:pushed:#{name}"
      end

      def get_job_schedule(name)
        call("HGET", schedules_key, name)
      end

      def get_job_state(name)
        call("HGET", "#{key_prefix}sidekiq-scheduler:states", name)
      end

      def get_all_schedules # rubocop:disable Naming/AccessorMethodName
        Sidekiq.redis { |redis| redis.hgetall(schedules_key) }
      end

      def register_job_instance(name, time)
        call("ZADD", pushed_job_key(name), time.to_i, time.to_i).positive?
      end

      def call(*command)
        Sidekiq.redis { |redis| redis.call(*command) }
      end
    end
  end

  # Its conversions.
  module Utils
    def self.sanitize_job_config(config)
      config.except("description", "at", "cron", "every", "in", "interval", "enabled")
    end
  end
end
