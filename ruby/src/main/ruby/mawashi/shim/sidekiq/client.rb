# frozen_string_literal: true

require "mawashi/iteration_state"
require "mawashi/redis_push"
require "sidekiq/bulk"
require "sidekiq/payload"

module Sidekiq
  # Puts jobs into queues: through the server that runs the app, else through the app's Redis library.
  class Client
    class << self
      # @example
      #   Sidekiq::Client.push("class" => "AddJob", "args" => [1, 2])
      def push(item)
        new.push(item)
      end

      # @example
      #   Sidekiq::Client.push_bulk("class" => "AddJob", "args" => [[1, 2], [3, 4]])
      def push_bulk(items)
        new.push_bulk(items)
      end

      def enqueue(job_class, *args)
        job_class.client_push("class" => job_class, "args" => args)
      end

      def enqueue_to(queue, job_class, *args)
        job_class.client_push("queue" => queue, "class" => job_class, "args" => args)
      end

      def enqueue_in(interval, job_class, *args)
        job_class.perform_in(interval, *args)
      end

      def enqueue_to_in(queue, interval, job_class, *args)
        job_class.set(queue: queue).perform_in(interval, *args)
      end

      # Has all that this thread enqueues in the block stored through another pool.
      #
      # @example
      #   Sidekiq::Client.via(other_redis) { AddJob.perform_async(1, 2) }
      def via(pool)
        raise ArgumentError, "No pool given" if pool.nil?

        before = Thread.current[:sidekiq_redis_pool]
        Thread.current[:sidekiq_redis_pool] = pool
        yield
      ensure
        Thread.current[:sidekiq_redis_pool] = before
      end
    end

    # Lends connections to another Redis than the server's own; nil for that one.
    attr_accessor :redis_pool

    # @param pool [#with, nil] lends connections of redis-client or redis
    # @param chain [Middleware::Chain, nil] in place of the app's client middleware
    def initialize(positional = nil, pool: positional, config: nil, chain: nil)
      @redis_pool = pool || Thread.current[:sidekiq_redis_pool]
      @config = config || Sidekiq.default_configuration
      @chain = chain || @config.client_middleware
    end

    # The middleware that jobs of this client go through; with a block, a copy to be changed.
    def middleware
      yield @chain = @chain.dup if block_given?
      @chain
    end

    # Asks an iterable job to end, which it heeds within some seconds.
    #
    # @return [Integer] seconds since the epoch when that was first asked for
    # @example
    #   Sidekiq::Client.new.cancel!(jid)
    def cancel!(jid)
      Mawashi::IterationState.new(jid).cancel
    end

    # @return [String, nil] the job's jid; nil when a client middleware stopped it
    def push(item)
      built = Payload.build(item)
      job = through_middleware(item["class"], built) or return
      raw_push([job])
      job["jid"]
    end

    # @param items [Hash] "args" is an array of argument lists; "at" is one time or one for each
    # @return [Array<String, nil>] the jids, nil for each job that a client middleware stopped
    def push_bulk(items)
      bulk = Bulk.new(items)
      bulk.slices.flat_map do |slice|
        jobs = slice.map { |item| through_middleware(item["class"], Payload.build(item)) }
        raw_push(jobs.compact) if jobs.any?
        jobs.map { |job| job && job["jid"] }
      end
    end

    private

    # A middleware answers what its block has answered, or another payload in its place, or nothing to
    # stop the push.
    def through_middleware(job_class, built)
      answer = @chain.invoke(job_class, built, built["queue"], @redis_pool || @config.redis_pool) { built } or return
      job = answer.is_a?(Hash) ? answer : built
      Payload.verify_json(job)
      job
    end

    # Named as in the sidekiq gem.
    def raw_push(jobs)
      return Testing.take(jobs) if defined?(Testing) && Testing.enabled?

      entries = jobs.map { |job| entry(job) }
      if @redis_pool || !Mawashi::Native.connected?
        Mawashi::RedisPush.call(@redis_pool || @config.redis_pool, entries)
      else
        Mawashi::Native.enqueue(entries)
      end
    end

    def entry(job)
      at = job.delete("at")
      return [job["queue"], Sidekiq.dump_json(job.reject { |field, _| field == "enqueued_at" }), at.to_f] if at

      job["enqueued_at"] = Payload.now_ms
      [job["queue"], Sidekiq.dump_json(job), nil]
    end
  end
end
