# frozen_string_literal: true

require "mawashi/redis_pool"
require "open3"
require "timeout"

# The app's own connections where no server is around it. REDIS_URL names a Redis that may be emptied.
class RedisPoolTest < Minitest::Test
  MAIN = File.expand_path("../../../main/ruby", __dir__)

  def setup
    @opened = 0
    @pool = Mawashi::RedisPool.new(2) { Mawashi::RedisDriver.open({}).tap { @opened += 1 } }
    @pool.with(&:flushdb)
  end

  def test_connections_are_opened_as_needed_and_used_again
    5.times { @pool.with { |connection| connection.incr("n") } }
    assert_equal 1, @opened
    @pool.with { |one| @pool.with { |other| assert_same one, other } }
    @pool.with { Thread.new { @pool.with { |connection| connection.incr("n") } }.join }

    assert_equal 2, @opened
    assert_equal "6", @pool.with { |connection| connection.get("n") }
  end

  def test_who_finds_none_waits_for_one_and_not_for_ever
    lent = Queue.new
    back = Queue.new
    threads = Array.new(2) { Thread.new { @pool.with { lent << true and back.pop } } }
    2.times { lent.pop }
    error = assert_raises(Mawashi::Error) { @pool.with { flunk } }
    assert_match(/all 2 Redis connections are in use/, error.message)

    waiting = Thread.new { @pool.with { |connection| connection.set("waited", 1) } }
    back << true
    assert_equal "OK", waiting.value
    back << true
    threads.each(&:join)
  end

  def test_a_connection_that_was_left_in_the_middle_gives_nobody_its_reply
    @pool.with { |connection| connection.set("n", 1) }
    assert_raises(Timeout::Error) do
      Timeout.timeout(0.05) { @pool.with { |connection| connection.brpop("none", timeout: 5) } }
    end

    assert_equal "1", @pool.with { |connection| connection.get("n") }
  end

  # New Redis libraries see to it themselves; older ones do not.
  def test_a_connection_that_was_left_in_the_middle_is_closed
    moved = Moved.new
    pool = Mawashi::RedisPool.new(1) { moved }
    pool.with { |connection| connection }
    refute moved.closed

    assert_raises(IOError) { pool.with { raise IOError } }
    assert moved.closed
  end

  def test_a_forked_process_opens_its_own
    @pool.with { |connection| connection.set("n", 1) }
    reader, writer = IO.pipe
    child = fork do
      writer << @pool.with { |connection| connection.incr("n") } << " " << @opened
      exit!(0)
    end
    Process.wait(child)
    writer.close

    assert_equal "2 2", reader.read
    assert_equal "2", @pool.with { |connection| connection.get("n") }
  end

  class Moved
    attr_reader :closed, :calls

    def with
      yield self
    end

    def close
      @closed = true
    end

    def call
      @calls = @calls.to_i + 1
      raise "READONLY You can't write against a read only replica." if @calls < 2

      :done
    end
  end

  def test_a_server_that_became_a_replica_is_left_once
    moved = Moved.new

    assert_equal :done, Mawashi::RedisPool.lend(moved, &:call)
    assert moved.closed
    calls = 0
    assert_raises(RuntimeError) { Mawashi::RedisPool.lend(moved) { (calls += 1) && raise("READONLY again") } }
    assert_equal 2, calls
    assert_raises(IOError) { Mawashi::RedisPool.lend(moved) { (calls += 1) && raise(IOError, "gone") } }
    assert_equal 3, calls
  end

  def with_environment(variables)
    before = variables.keys.to_h { |name| [name, ENV[name]] }
    ENV.update(variables)
    yield
  ensure
    ENV.update(before)
  end

  def test_the_environment_names_the_redis
    with_environment("REDIS_URL" => nil) { assert_equal "redis://localhost:6379/0", Mawashi::RedisDriver.url }
    with_environment("REDIS_URL" => "redis://a") { assert_equal "redis://a", Mawashi::RedisDriver.url }
    with_environment("REDIS_PROVIDER" => "OTHER_URL", "OTHER_URL" => "redis://b") do
      assert_equal "redis://b", Mawashi::RedisDriver.url
    end
    with_environment("REDIS_PROVIDER" => "redis://c") do
      assert_match(/name of the variable/, assert_raises(Mawashi::Error) { Mawashi::RedisDriver.url }.message)
    end
  end

  def test_the_app_may_name_it_instead
    config = Sidekiq::Config.new
    config.redis = { "url" => ENV.fetch("REDIS_URL").sub(%r{/\d+\z}, "/2"), network_timeout: 3, size: 1, pool_timeout: 1 }

    assert_equal 2, Integer(config.redis { |connection| connection.call("CLIENT", "INFO") }[/ db=(\d+)/, 1])
    assert_equal 1, config.redis_pool.size
    config.redis = { namespace: "mine" }
    assert_match(/namespaces/, assert_raises(ArgumentError) { config.redis(&:ping) }.message)
  end

  def test_without_a_library_the_remedy_is_named
    script = 'require "sidekiq"; class A; include Sidekiq::Job; end; A.perform_async'
    _, error, status = Open3.capture3({ "RUBYOPT" => nil }, RbConfig.ruby, "--disable-gems", "-I#{MAIN}",
                                      "-I#{MAIN}/mawashi/shim", "-e", script)

    refute_predicate status, :success?
    assert_match(/no Redis library is there: add gem "redis-client"/, error)
  end
end
