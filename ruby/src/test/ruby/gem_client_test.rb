# frozen_string_literal: true

require "mawashi/gem_client"

# A push that fails raises what the gem's own push would.
class GemClientTest < Minitest::Test
  Cannot = Class.new(StandardError)

  def test_each_version_of_the_gem_has_its_own_error
    assert_equal Cannot, error_with("Redis::CannotConnectError")
    assert_equal Cannot, error_with("Sidekiq::RedisClientAdapter", "RedisClient::ConnectionError")
    of_redis = { "Redis::BaseError": IOError, "Redis::CannotConnectError": IOError }
    assert_equal Cannot, error_with("Sidekiq::RedisClientAdapter", "RedisClient::ConnectionError", **of_redis)
  end

  def test_a_time_that_never_comes_is_not_at_once
    recorder = Mawashi::GemClient::Recorder.new("q")
    recorder.zadd("schedule", [["Infinity", "a"], ["1.5", "b"]])
    recorder.zadd("schedule", ["Infinity", "c"])
    assert_equal [["q", "a", Float::INFINITY], ["q", "b", 1.5], ["q", "c", Float::INFINITY]], recorder.jobs
  end

  # A connection of redis-client.
  Connected = Struct.new(:config)

  # @param url [String] the server's
  # @param place [Hash] of the app's connection
  def own?(url, place)
    before = ENV["REDIS_URL"]
    added = define("RedisClient::Config", Struct.new(:host, :port, :path, :db, keyword_init: true))
    ENV["REDIS_URL"] = url
    pool = [Connected.new(RedisClient::Config.new(**place))]
    pool.define_singleton_method(:with) { |&block| block.call(first) }
    Mawashi::GemClient.send(:servers_own?, pool)
  ensure
    ENV["REDIS_URL"] = before
    added.reverse_each { |scope, name| scope.send(:remove_const, name) }
  end

  def test_jobs_go_through_the_server_where_the_apps_redis_is_its_own
    assert own?("redis://:p@h/1", { host: "h", port: 6379, db: 1 })
    refute own?("redis://:p@h/1", { host: "h", port: 6379, db: 0 })
    assert own?("unix://:p@/r/s?db=1", { path: "/r/s", db: 1 })
    assert own?("unix:///r/a%20b", { path: "/r/a b", db: 0 })
    refute own?("unix:///r/s?db=1", { path: "/r/s", db: 0 })
    refute own?("unix:///r/s?db=1", { path: "/r/t", db: 1 })
    refute own?("redis://localhost:6379/0", { host: "localhost", port: 6379, path: "/r/s", db: 0 })
  end

  private

  # @param names [Array<String>] of what is {Cannot} meanwhile
  def error_with(*names, **others)
    made = names.to_h { |name| [name, Cannot] }.merge(others.transform_keys(&:to_s))
    added = made.flat_map { |name, value| define(name, value) }
    Mawashi::GemClient.send(:gem_error)
  ensure
    added.reverse_each { |scope, name| scope.send(:remove_const, name) }
  end

  # @param value [Object] of the last name
  def define(name, value)
    *path, last = name.split("::")
    added = []
    scope = path.inject(Object) do |outer, part|
      next outer.const_get(part) if outer.const_defined?(part, false)

      added << [outer, part]
      outer.const_set(part, Module.new)
    end
    return added if scope.const_defined?(last, false)

    scope.const_set(last, value)
    added << [scope, last]
  end
end
