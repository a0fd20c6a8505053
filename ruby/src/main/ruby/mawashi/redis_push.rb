# frozen_string_literal: true

require "mawashi/redis_pool"

module Mawashi
  # Stores jobs through a Redis library of the app's: what the server does for its own app.
  module RedisPush
    # Stores jobs, all in one round trip.
    #
    # @param pool [#with] lends connections of redis-client or redis
    # @param jobs [Array<Array(String, String, Float)>] queue, JSON text, time when due or nil
    # @example
    #   Mawashi::RedisPush.call(pool, [["default", '{"class":"A","args":[]}', nil]])
    def self.call(pool, jobs)
      later, now = jobs.partition { |_, _, at| at }
      RedisPool.lend(pool) do |connection|
        connection.pipelined do |pipeline|
          pipeline.call("ZADD", "schedule", *later.flat_map { |_, text, at| [at.to_s, text] }) unless later.empty?
          now.group_by(&:first).each do |queue, entries|
            pipeline.call("SADD", "queues", queue)
            pipeline.call("LPUSH", "queue:#{queue}", *entries.map { |_, text, _| text })
          end
        end
      end
      nil
    end
  end
end
