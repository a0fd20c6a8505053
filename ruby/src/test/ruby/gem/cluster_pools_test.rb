# frozen_string_literal: true

require "mawashi"
require "mawashi/cluster"
require "mawashi/reliable_push"
require "sidekiq/api"
require "stringio"
require_relative "../cluster_nodes"

# The sidekiq gem on a real Redis Cluster. In this process other tests want its usual Redis, which stays.
class ClusterPoolsTest < Minitest::Test
  NAME = "gem"
  VARIABLES = %w[REDIS_URL REDIS_PROVIDER SHOP_URL].freeze

  class AddJob
    include Sidekiq::Worker
  end

  def self.nodes
    @nodes ||= ClusterNodes.new.tap { |nodes| Minitest.after_run { nodes.stop } }
  end

  def setup
    @nodes = self.class.nodes
    @environment = VARIABLES.to_h { |name| [name, ENV[name]] }
    @owner = @nodes.owner(Mawashi::Cluster::Url.new(@nodes.url(NAME)).slot)
    @owner.call("FLUSHALL")
    @pool = Sidekiq.redis_pool
  end

  def teardown
    ENV.update(@environment)
    Sidekiq.redis = @pool
  end

  def pool(options = {})
    Sidekiq::RedisConnection.create(options)
  end

  def cluster?(pool)
    pool.with { |connection| !Mawashi::Cluster.of(connection).nil? }
  end

  def test_jobs_are_enqueued_and_found
    Sidekiq.redis = { url: @nodes.url(NAME) }
    AddJob.perform_async(1)
    AddJob.perform_in(60, 2)
    AddJob.perform_bulk([[3], [4]])
    assert_equal [[4], [3], [1]], Sidekiq::Queue.new.map(&:args)
    assert_equal [[2]], Sidekiq::ScheduledSet.new.map(&:args)
    assert_equal 3, Sidekiq::Stats.new.enqueued
    assert_equal ["default"], Sidekiq::Queue.all.map(&:name)
    assert_equal %w[{gem}:queue:default {gem}:queues {gem}:schedule], @owner.call("KEYS", "*").sort
  end

  def test_the_environment_names_it
    ENV["REDIS_URL"] = @nodes.url(NAME)
    assert cluster?(pool)
    refute cluster?(pool(url: @environment["REDIS_URL"]))
    refute cluster?(pool(host: "127.0.0.1", port: 1))
    ENV["REDIS_URL"] = @environment["REDIS_URL"]
    refute cluster?(pool)
    ENV["SHOP_URL"] = @nodes.url(NAME)
    ENV["REDIS_PROVIDER"] = "SHOP_URL"
    assert cluster?(pool)
  end

  # In the order of a Gemfile by names.
  def test_the_gem_mawashi_may_come_before_sidekiq
    main = File.expand_path("../../../main/ruby", __dir__)
    code = 'gem "sidekiq"; require "mawashi"; require "mawashi/cluster"; require "sidekiq"; ' \
           "Sidekiq.redis { |redis| print Mawashi::Cluster.of(redis), Sidekiq.respond_to?(:configure_server) }"
    url = @nodes.url(NAME)
    assert_equal "#{url}true", IO.popen({ "REDIS_URL" => url }, [RbConfig.ruby, "-I", main, "-e", code], &:read)
  end

  def test_other_settings_stay
    made = pool("url" => @nodes.url(NAME, "me:url@"), "size" => 3, :network_timeout => 2, :password => "own", :id => "x")
    assert_equal 3, made.size
    made.with do |connection|
      assert_equal ["me", "own", 2.0, "x"], connection._client.options.values_at(:username, :password, :read_timeout, :id)
    end
  end

  def test_each_connection_of_a_pool_goes_there
    made = pool(url: @nodes.url(NAME), size: 2)
    made.with { |one| Thread.new { made.with { |other| [one, other].each { |each| each.set("k", "v") } } }.join }
    assert_equal %w[{gem}:k], @owner.call("KEYS", "*")
  end

  def test_what_a_cluster_refuses_for_now_is_kept
    ["MOVED 7 a:1", "ASK 7 a:1", "TRYAGAIN no", "CLUSTERDOWN no"].each do |text|
      assert Mawashi::ReliablePush.send(:unreachable?, Redis::CommandError.new(text)), text
    end
    refute Mawashi::ReliablePush.send(:unreachable?, Redis::CommandError.new("ASKED what"))
  end

  def test_the_log_has_no_password
    logger = Sidekiq.logger
    Sidekiq.logger = Sidekiq::Logger.new(lines = StringIO.new, level: Logger::DEBUG)
    pool(url: @nodes.url(NAME, ":secret@"))
    assert_match(%r{redis options .*redis\+cluster://127\.0\.0\.1:}, lines.string)
    refute_includes lines.string, "secret"
  ensure
    Sidekiq.logger = logger
  end

  def test_bad_urls_are_refused_without_password
    error = assert_raises(ArgumentError) { pool(url: "redis+cluster://:secret@a/b/3") }
    assert_match(/has a database/, error.message)
    refute_includes error.message, "secret"
    assert_equal "a Redis Cluster has no database 3", assert_raises(ArgumentError) { pool(url: @nodes.url, db: 3) }.message
  end
end
