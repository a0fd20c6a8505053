# frozen_string_literal: true

require "fugit"
require "json"
require "sidekiq"

# What an app has with the gems resque and resque-scheduler, which Debian has not: the same names, calls and keys, and
# nothing else. Each part names the file of Resque 3.0.0 or resque-scheduler 5.0.0 that it follows.
module Resque
  # A connection with the methods of the redis gem that are used.
  class Connection
    def initialize(&lend)
      @lend = lend
    end

    %i[del expire hdel hget hkeys hmget hset hvals lpush ltrim time].each do |name|
      define_method(name) { |*words| ask(name.to_s.upcase, *words) }
    end

    def call(*words)
      ask(*words)
    end

    def pipelined
      yield self
    end

    def eval(script, keys, words)
      ask("EVAL", script, keys.size, *keys, *words)
    end

    def hgetall(key)
      pairs = ask("HGETALL", key)
      pairs.is_a?(Hash) ? pairs : Hash[*pairs]
    end

    def sismember(key, member)
      ask("SISMEMBER", key, member) == 1
    end

    private

    def ask(*words)
      @lend.call(words.flatten.map(&:to_s))
    end
  end

  # data_store.rb: stores jobs under the namespace.
  class DataStore
    attr_reader :redis, :namespace

    def initialize(redis, namespace)
      @redis = redis
      @namespace = namespace
    end

    def push_to_queue(queue, encoded_item)
      script = "redis.call('SADD', KEYS[1], ARGV[1]); return redis.call('RPUSH', KEYS[2], ARGV[2])"
      redis.eval(script, ["#{namespace}:queues", "#{namespace}:queue:#{queue}"], [queue, encoded_item])
    end
  end

  # job.rb
  class Job
    def self.create(queue, klass, *args)
      raise ArgumentError, "Jobs must be placed onto a queue." if queue.to_s.empty?

      Resque.push(queue, class: klass.to_s, args: args)
    end
  end

  class << self
    attr_accessor :redis, :inline
    alias inline? inline

    def encode(object)
      JSON.generate(object)
    end

    def decode(text)
      text && JSON.parse(text)
    end

    def push(queue, item)
      redis.push_to_queue(queue, encode(item))
    end

    # resque.rb, with the hooks of plugin.rb
    def enqueue_to(queue, klass, *args)
      hooks = ->(name) { klass.methods.grep(/^#{name}/).sort.map { |hook| klass.public_send(hook, *args) } }
      return if hooks.call("before_enqueue").any?(false)

      Job.create(queue, klass, *args)
      hooks.call("after_enqueue")
      true
    end

    def queue_from_class(klass)
      (klass.instance_variable_get(:@queue) if klass.is_a?(Module)) || (klass.queue if klass.respond_to?(:queue))
    end

    # scheduling_extensions.rb
    def schedule=(hash)
      @non_persistent_schedules = nil
      hash.each { |name, config| set_schedule(name, { "class" => name }.merge(config)) }
    end


    def set_schedule(name, config)
      if config.delete("persist")
        redis.redis.hset("#{redis.namespace}:persistent_schedules", name, encode(config))
      else
        non_persistent_schedules[name] = decode(encode(config))
      end
      changed(name)
    end

    def remove_schedule(name)
      non_persistent_schedules.delete(name)
      redis.redis.hdel("#{redis.namespace}:persistent_schedules", name)
      changed(name)
    end

    private

    def persistent_schedules
      redis.redis.hgetall("#{redis.namespace}:persistent_schedules").transform_values { |text| decode(text) }
    end

    def non_persistent_schedules
      @non_persistent_schedules ||= {}
    end

    def changed(name)
      redis.redis.eval("return redis.call('SADD', KEYS[1], ARGV[1])", ["#{redis.namespace}:schedules_changed"], [name])
    end
  end
end

require_relative "resque_scheduler_master"
