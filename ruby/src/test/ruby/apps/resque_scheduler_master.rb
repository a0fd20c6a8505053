# frozen_string_literal: true

require "rufus-scheduler"

module Resque
  # scheduler.rb, configuration.rb and locking.rb of resque-scheduler 5.0.0.
  module Scheduler
    # util.rb
    module Util
      def self.constantize(name)
        Object.const_get(name.to_s)
      end
    end

    class << self
      attr_accessor :dynamic, :env, :failure_handler

      def env_matches?(wanted)
        env && wanted.split(/[\s,]+/).include?(env)
      end

      def enqueue_from_config(config)
        args = config["args"]
        params = args.is_a?(Hash) ? [args] : Array(args)
        klass = constant(config["class"])
        queue = config["queue"] || Resque.queue_from_class(klass)
        custom = config["custom_job_class"]
        return Util.constantize(custom).scheduled(queue, config["class"], *params) if custom
        return Resque::Job.create(queue, klass, *params) unless klass.is_a?(Class)
        return klass.scheduled(queue, config["class"], *params) if klass.respond_to?(:scheduled)

        Resque.enqueue_to(queue, klass, *params)
      end

      private

      def constant(name)
        Util.constantize(name)
      rescue NameError
        name
      end

      def master_lock_key
        "#{Resque.redis.namespace}:resque_scheduler_master_lock"
      end
    end
  end
end
