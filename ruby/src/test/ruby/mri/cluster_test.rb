# frozen_string_literal: true

require "erb"
require "mawashi/app_place"
require "mawashi/app_redis"
require "mawashi/pool_place"
require "mawashi/unique_lock"
require "mawashi/unique_push"
require "mawashi/redis_driver"
require_relative "../cluster_nodes"

# Connections to a real Redis Cluster, with the Redis library at hand.
class ClusterTest < Minitest::Test
  NAME = "shop"

  class << self
    def nodes
      @nodes ||= ClusterNodes.new.tap { |nodes| Minitest.after_run { nodes.stop } }
    end
  end

  def setup
    @nodes = self.class.nodes
    @slot = Mawashi::Cluster::Url.new(@nodes.url(NAME)).slot
    @owner = @nodes.owner(@slot)
    @owner.call("FLUSHALL")
    @other = @nodes.nodes.find { |node| node != @owner }
    @redis = open
  end

  def teardown
    @redis.close
  end

  def open(**options)
    Mawashi::RedisDriver.open(url: @nodes.url(NAME), timeout: 5, **options)
  end

  # @return [Class] of the errors of commands
  def command_error
    defined?(RedisClient) ? RedisClient::CommandError : Redis::CommandError
  end

  def connect_error
    defined?(RedisClient) ? RedisClient::CannotConnectError : Redis::CannotConnectError
  end

  # @return [Array<String>] as the node has them
  def keys(node = @owner)
    node.call("KEYS", "*").sort
  end

  # @return [Thread] that has called the block and waits for the slot
  def waiting(&block)
    thread = Thread.new(&block)
    assert_nil thread.join(0.2)
    thread
  end

  def test_all_keys_have_the_tag_and_the_app_sees_none_of_it
    @redis.call("MSET", "a", "1", "queue:b", "2")
    assert_equal [1, 2], @redis.pipelined { |all| 2.times { |i| all.call("LPUSH", "l", i) } }
    assert_equal [3, %w[2 1 0]], (@redis.multi do |all|
      all.call("LPUSH", "l", 2)
      all.call("LRANGE", "l", 0, -1)
    end)
    assert_equal %w[{shop}:a {shop}:l {shop}:queue:b], keys
    assert_equal %w[a l queue:b], @redis.call("KEYS", "*").sort
    assert_equal %w[queue:b], @redis.call("SCAN", 0, "MATCH", "q*", "COUNT", 100).last
    assert_equal %w[l 0], @redis.call("BRPOP", "l", "m", 1)
    assert_equal "1", @redis.call("EVAL", "return redis.call('GET', KEYS[1])", 1, "a")
    assert_empty Mawashi::RedisDriver.open(url: @nodes.url("other")).call("KEYS", "*")
  end

  def test_what_would_delete_keys_of_others_is_refused
    [%w[FLUSHDB], %w[FLUSHALL], %w[SELECT 1]].each do |words|
      error = assert_raises(command_error) { @redis.call(*words) }
      assert_match(/is not sent to a Redis Cluster/, error.message)
    end
    assert_equal "OK", @redis.call("SELECT", 0)
  end

  def test_a_command_waits_for_a_slot_that_moves_and_then_goes_there
    @redis.call("SET", "a", "1")
    moving = nil
    @nodes.move(@slot, @owner, @other) do
      moving = waiting { @redis.pipelined { |all| [1, 2].each { |i| all.call("LPUSH", "l", i) } } }
      assert_equal "1", open.call("GET", "a")
    end
    assert_equal [1, 2], moving.value
    assert_equal ["1", 2], [@redis.call("GET", "a"), @redis.call("LLEN", "l")]
    assert_empty keys
    assert_equal %w[{shop}:a {shop}:l], keys(@other)
  end

  def test_a_transaction_goes_where_the_slot_is
    @redis.call("SET", "a", "1")
    @nodes.move(@slot, @owner, @other)
    assert_equal [2, %w[a]], (@redis.multi do |all|
      all.call("INCR", "a")
      all.call("KEYS", "*")
    end)
  end

  # The node runs a script whose keys are all there, and breaks it off where one vanishes: here with the last old lock.
  def test_a_job_with_a_lock_comes_in_as_a_whole_while_the_slot_moves
    job = { "class" => "A", "args" => [], "queue" => "q", "jid" => "7", "unique_for" => 60 }
    push = Mawashi::UniquePush.new([Mawashi::UniquePush::Entry.new(Mawashi::UniqueLock.of(job), "q", "{}", nil)])
    [%w[SADD queues q], %w[LPUSH queue:q {}], ["HSET", "mw:locks", "old", "1 6 A"]].each { |words| @redis.call(*words) }
    moving = nil
    @nodes.move(@slot, @owner, @other) { moving = waiting { push.through(@redis) } }
    assert_empty moving.value
    assert_equal [2, 1], [@redis.call("LLEN", "queue:q"), @redis.call("HLEN", "mw:locks")]
  end

  def test_a_slot_that_moves_for_too_long_is_an_error_of_the_library
    redis = open(timeout: 0.3)
    redis.call("SET", "a", "1")
    before = redis.call("CLIENT", "ID")
    @nodes.move(@slot, @owner, @other) do
      assert_match(/\AASK #{@slot} /, assert_raises(command_error) { redis.call("GET", "none") }.message)
      # The next command looks for the owner anew.
      refute_equal before, redis.call("CLIENT", "ID")
    end
    assert_equal "1", redis.call("GET", "a")
  end

  # With the redis gem it is the gem that sends it again, which it does not without attempts.
  def test_an_app_that_wants_no_attempts
    redis = open(reconnect_attempts: 0)
    redis.call("SET", "a", "1")
    @nodes.move(@slot, @owner, @other)
    return assert_equal "1", redis.call("GET", "a") if defined?(RedisClient)

    assert_raises(Redis::ConnectionError) { redis.call("GET", "a") }
    assert_equal "1", redis.call("GET", "a")
  end

  def test_connections_that_the_node_has_cut_are_made_anew
    @redis.call("SET", "a", "1")
    @owner.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    assert_equal "1", @redis.call("GET", "a")
  end

  def test_a_node_that_is_none_of_a_cluster
    plain = ENV.fetch("REDIS_URL")[%r{//([^/]+)}, 1]
    error = assert_raises(connect_error) { Mawashi::RedisDriver.open(url: "redis+cluster://#{plain}/x").call("GET", "a") }
    assert_includes error.message, "#{plain}: it is no node of a Cluster"
    # One that is no good is passed over.
    both = @nodes.url(NAME).sub("//", "//#{plain},")
    assert_equal "OK", Mawashi::RedisDriver.open(url: both).call("SET", "a", "1")
  end

  # Libraries read the environment by themselves, and know no such URL.
  def test_a_place_without_url_beside_a_cluster_in_the_environment
    before = ENV["REDIS_URL"]
    host, port = before[%r{//([^/]+)}, 1].split(":")
    ENV["REDIS_URL"] = @nodes.url(NAME)
    redis = Mawashi::RedisDriver.open(host: host, port: port.to_i)
    assert_nil Mawashi::Cluster.of(redis)
    assert_match(/cluster_enabled:0/, redis.call("INFO", "cluster"))
    refute_nil Mawashi::Cluster.of(Mawashi::RedisDriver.open({}))
  ensure
    ENV["REDIS_URL"] = before
  end

  # @return [Array<Array>] kind, channel, and number or text
  def heard_by_client(*channels)
    messages = @redis.pubsub
    messages.call("SUBSCRIBE", *channels)
    heard = channels.map { messages.next_event(5) }
    @owner.call("PUBLISH", channels.first, "hello")
    heard << messages.next_event(5)
  ensure
    messages.close
  end

  def heard_by_gem(*channels)
    heard = []
    @redis.subscribe(*channels) do |on|
      on.subscribe do |channel, count|
        heard << ["subscribe", channel, count]
        @owner.call("PUBLISH", channels.first, "hello") if count == channels.size
      end
      on.message do |channel, text|
        heard << ["message", channel, text]
        @redis.unsubscribe
      end
    end
    heard
  end

  def test_names_of_channels_are_as_they_are
    heard = defined?(RedisClient) ? heard_by_client("news", "more") : heard_by_gem("news", "more")
    assert_equal [["subscribe", "news", 1], ["subscribe", "more", 2], %w[message news hello]], heard
    assert_equal "OK", @redis.call("SET", "a", 1)
  end

  def test_no_node_answers
    error = assert_raises(connect_error) { Mawashi::RedisDriver.open(url: "redis+cluster://:secret@127.0.0.1:1").call("GET", "a") }
    assert_match(/no node of the Redis Cluster can be used \(127\.0\.0\.1:1: /, error.message)
    refute_includes error.message, "secret"
  end

  def test_bad_settings
    error = assert_raises(ArgumentError) { open(db: 3) }
    assert_equal "a Redis Cluster has no database 3", error.message
    open(db: 0).call("PING")
    assert_raises(ArgumentError) { Mawashi::RedisDriver.open(url: "redis+cluster://a/b/3") }
  end

  def test_a_login
    @nodes.nodes.each { |node| node.call("ACL", "SETUSER", "me", "on", ">p@ss", "~*", "+@all") }
    url = @nodes.url(NAME, "me:p%40ss@")
    redis = Mawashi::RedisDriver.open(url: url)
    assert_equal "me", redis.call("ACL", "WHOAMI")
    place = Mawashi::AppPlace.new(redis)
    assert_equal [url, ""], [place.url, place.obstacle]
    redis = Mawashi::RedisDriver.open(url: url, password: "other")
    assert_match(/WRONGPASS/, assert_raises(command_error) { redis.call("PING") }.message)
  end

  def test_the_place_of_a_connection
    url = @nodes.url(NAME)
    place = Mawashi::AppPlace.new(@redis)
    assert_equal [url, ""], [place.url, place.obstacle]
    assert_equal url, Mawashi::AppRedis.send(:place, @redis)
    file = ERB::Util.url_encode(File.expand_path(__FILE__))
    tls = Mawashi::AppPlace.new(open(url: "rediss+cluster://:x@a,[::1]:7/my+s%2F?ca_file=#{file}&verify_mode=none"))
    query = "ca_file=#{file}&verify_mode=none"
    assert_equal ["rediss+cluster://:x@a:6379,[::1]:7/my%2Bs%2F?#{query}", ""], [tls.url, tls.obstacle]
  end

  # As a pool does.
  class Lending
    def initialize(connection)
      @connection = connection
    end

    def with
      yield @connection
    end
  end

  def test_the_servers_own_is_known
    before = ENV["REDIS_URL"]
    own = Mawashi::PoolPlace.of(Lending.new(@redis))
    ENV["REDIS_URL"] = @nodes.url(NAME, ":secret@")
    assert_equal own, Mawashi::PoolPlace.of_server
    ENV["REDIS_URL"] = @nodes.url("other")
    refute_equal own, Mawashi::PoolPlace.of_server
    ENV["REDIS_URL"] = "redis+cluster://a/b/3"
    assert_nil Mawashi::PoolPlace.of_server
  ensure
    ENV["REDIS_URL"] = before
  end
end
