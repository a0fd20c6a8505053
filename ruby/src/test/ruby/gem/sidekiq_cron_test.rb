# frozen_string_literal: true

require "active_job"
require "sidekiq-cron"
require "mawashi/cron/poller"
require "mawashi/redis_driver"
require "minitest/mock"

# The schedules of the gem sidekiq-cron, as it wrote them into a real Redis: what it would enqueue itself and what is
# enqueued here. REDIS_URL names a Redis that may be emptied.
class SidekiqCronTest < Minitest::Test
  Mawashi::GemClient.install([])
  Sidekiq::Client.prepend(Mawashi::Cron::Sending)
  ActiveJob::Base.queue_adapter = :sidekiq
  ActiveJob::Base.logger = nil
  Sidekiq.logger.level = Logger::FATAL
  # Debian's redis gem is newer than its sidekiq gem, and warns of that with each push.
  Redis.sadd_returns_boolean = false if defined?(Redis) && Redis.respond_to?(:sadd_returns_boolean=)

  class Report
    include Sidekiq::Job
    sidekiq_options queue: "reports", retry: 3, tags: %w[nightly]
  end

  class Mail < ActiveJob::Base
    queue_as :mails
    def perform(*); end
  end

  class Inline < ActiveJob::Base
    self.queue_adapter = :inline
    class << self
      attr_accessor :marks
    end

    def perform
      Inline.marks << Sidekiq.redis { |connection| connection.zcard(Sidekiq::Cron::Job.job_enqueued_key("inline")) }
    end
  end

  # Client middleware that does what the test wants.
  class Around
    class << self
      attr_accessor :block
    end

    def call(_type, job, _queue, _pool, &push)
      Around.block ? Around.block.call(job, push) : push.call
    end
  end
  Sidekiq.configure_client { |config| config.client_middleware { |chain| chain.add(Around) } }

  KINDS = {
    "plain" => { "class" => Report.name },
    "with args" => { "class" => Report.name, "args" => [1, { "a" => "é" }] },
    "other queue" => { "class" => Report.name, "queue" => "low" },
    "dated" => { "class" => Report.name, "args" => ["x"], "date_as_argument" => true },
    "unknown" => { "class" => "NoSuchJob", "queue" => "low", "args" => { "k" => 1 } },
    "active job" => { "class" => Mail.name, "args" => ["x"], "queue" => "mails" },
    "symbols" => { "class" => Mail.name, "args" => [{ "k" => 1 }], "symbolize_args" => true, "active_job" => true },
    "unknown active job" => { "class" => "NoSuchMail", "active_job" => true, "queue" => "low", "queue_name_prefix" => "app" }
  }.freeze

  def setup
    redis(&:flushdb)
    Around.block = nil
    Inline.marks = []
    @errors = []
    @poller = poller
  end

  def poller
    Mawashi::Cron::Poller.new(->(error, context) { @errors << "#{context[:context]}: #{error.message}" })
  end

  def redis(&block)
    Sidekiq.redis(&block)
  end

  def call(*command)
    redis { |connection| connection.call(*command) }
  end

  # A schedule whose last time is due, since nobody has noted it.
  def due(name, **options)
    hash = { "name" => name, "cron" => "* * * * *", "class" => Report.name }.merge(options.transform_keys(&:to_s))
    assert Sidekiq::Cron::Job.create(hash), hash
    call("DEL", marks(name))
    find(name)
  end

  def find(name)
    Sidekiq::Cron::Job.find(name)
  end

  def marks(name)
    Sidekiq::Cron::Job.job_enqueued_key(name)
  end

  def key(name)
    Sidekiq::Cron::Job.redis_key(name)
  end

  def by_the_gem(job)
    job.respond_to?(:enqueue!) ? job.test_and_enqueue_for_time!(Time.now.utc) : job.test_and_enque_for_time!(Time.now.utc)
  end

  def queued(queue = "reports")
    call("LRANGE", "queue:#{queue}", 0, -1).map { |text| JSON.parse(text) }
  end

  # All that Redis holds, but for times and ids.
  def stored
    call("KEYS", "*").grep_v(/\Amw:/).sort.map { |key| [key, plain(value(key).inspect)] }
  end

  def value(key)
    case call("TYPE", key)
    when "hash" then redis { |connection| connection.hgetall(key).sort }
    when "list" then call("LRANGE", key, 0, -1)
    when "zset" then call("ZRANGE", key, 0, -1)
    when "set" then call("SMEMBERS", key).sort
    end
  end

  def plain(text)
    text.gsub(/\d{4}-\d\d-\d\d[T ][\d:.]+( UTC| \+0000|Z)/, "TIME").gsub(/\d{10}(\.\d+|\d{3})/, "SECONDS").gsub(/\h{24}/, "ID")
        .gsub(/\h{8}(-\h{4}){3}-\h{12}/, "UUID")
  end

  def test_redis_holds_what_the_gem_would_leave_there
    KINDS.each do |name, options|
      wanted, found = [method(:by_the_gem), ->(_) { poller.step }].map do |way|
        redis(&:flushdb)
        way.call(due(name, **options))
        stored
      end
      assert_equal wanted, found, name
      assert_operator wanted.size, :>=, 6, name
    end
    assert_empty @errors
  end

  def test_a_time_is_enqueued_once_by_pollers_and_the_gem
    gem = due("gem")
    by_the_gem(gem)
    due("ours")
    3.times { poller.step }
    assert_equal 2, queued.size
    # As another process that read the schedule before.
    call("HDEL", key("ours"), "last_enqueue_time")
    by_the_gem(find("ours"))
    assert_equal 2, queued.size
  end

  def test_two_pollers_at_the_same_moment_begin_to_enqueue_once
    due("same")
    begun = Queue.new
    gate = Queue.new
    Around.block = lambda do |_, push|
      begun << true
      gate.pop
      push.call
    end
    first = Thread.new { poller.step }
    begun.pop
    poller.step
    gate << true
    first.join
    assert_equal 1, queued.size
    assert_empty begun
  end

  def test_what_the_gem_has_not_due_is_not
    due("off", status: "disabled")
    due("old", cron: "#{(Time.now.utc - 1_800).min} * * * *")
    by_hand = due("by hand")
    by_hand.respond_to?(:enqueue!) ? by_hand.enqueue! : by_hand.enque!
    @poller.step
    assert_equal(1, queued.size)
    assert_equal [], call("ZRANGE", marks("old"), 0, -1) + call("ZRANGE", marks("off"), 0, -1)
  end

  def test_a_time_is_due_in_its_own_second
    job = due("sharp")
    day = Time.utc(2026, 11, 26, 12)
    moments = [59.9, 60, 60.3, 119.9, 120].map do |seconds|
      Mawashi::Cron::Tick.due(job, day + seconds).instance_variable_get(:@moment).min
    end
    assert_equal [0, 1, 1, 1, 2], moments
  end

  def test_each_time_comes_when_it_is_due
    { "seconds" => ["* * * * * *", 1], "minutes" => ["* * * * *", 60] }.each do |name, (line, apart)|
      start = clock = Time.now.utc
      due(name, cron: line)
      Time.stub(:now, ->(*) { clock }) do
        own = poller
        clock += own.step while clock < start + (6 * apart)
      end
      times = call("ZRANGE", marks(name), 0, -1).map { |text| Time.parse(text).to_i }
      assert_equal times.first.step(times.last, apart).to_a, times, name
      assert_operator times.size, :>=, 6
      find(name).destroy
    end
  end

  def test_changes_by_the_api_count_at_the_next_look
    job = due("changed", status: "disabled")
    Mawashi::Cron::Jobs.stub(:poll_seconds, 0) do
      @poller.step
      job.enable!
      call("DEL", marks("changed"))
      @poller.step
      assert_equal 1, queued.size
      job.destroy
      @poller.step
    end
    assert_equal [], call("KEYS", "cron_job*")
    assert_equal 1, queued.size
  end

  # In a child that is killed there.
  def killed(&block)
    pid = fork do
      trap("EXIT") { exit!(0) }
      block.call
      poller.step
    end
    _, status = Process.wait2(pid)
    assert_equal 9, status.termsig
    claims = call("KEYS", "mw:cron:claim:*")
    call("DEL", *claims) unless claims.empty?
  end

  def test_a_process_that_is_killed_leaves_the_job_with_its_mark_or_neither
    kill = -> { Process.kill(:KILL, Process.pid) }
    due("before")
    killed { Around.block = ->(_, _) { kill.call } }
    assert_equal [0, 0], [queued.size, call("ZCARD", marks("before"))]
    poller.step
    assert_equal [1, 1], [queued.size, call("ZCARD", marks("before"))]

    call("DEL", "queue:reports")
    due("after")
    killed { Around.block = ->(_, push) { push.call } and Sidekiq::Cron::Job.define_method(:save_last_enqueue_time, &kill) }
    assert_equal [1, 1], [queued.size, call("ZCARD", marks("after"))]
    poller.step
    by_the_gem(find("after"))
    assert_equal 1, queued.size
  end

  def test_a_redis_that_refuses_the_queue_leaves_no_mark
    call("SET", "queue:low", "text")
    due("refused", queue: "low")
    due("other")
    2.times { @poller.step }
    assert_equal [0, 1], [call("ZCARD", marks("refused")), queued.size]
    assert_equal 1, @errors.size
    assert_match(/\AException in sidekiq-cron: #{key("refused")}: .*WRONGTYPE/, @errors.first)
  end

  def test_a_bad_entry_stops_no_other_and_is_named_once
    set = Mawashi::Cron::Jobs.sets.first
    bad = { "text" => nil, "line" => { "cron" => "x" }, "json" => { "cron" => "* * * * *", "message" => "{" } }
    bad.each do |name, fields|
      call("SADD", set, key(name))
      fields ? call("HSET", key(name), "name", name, "klass", "X", *fields.to_a.flatten) : call("SET", key(name), "x")
    end
    call("SADD", set, key("gone"))
    due("good")
    log = []
    Mawashi::OwnLog.stub(:say, ->(_, text) { log << text }) do
      Mawashi::Cron::Jobs.stub(:poll_seconds, 0) { 3.times { @poller.step } }
    end
    assert_equal 1, queued.size
    names = (log + @errors).map { |text| text[/cron_job:\S+(?=:)/] }
    assert_equal %w[text line json].map { |name| key(name) }.sort, names.sort
  end

  def test_a_job_that_a_middleware_stops_has_its_mark_as_with_the_gem
    due("stopped")
    Around.block = ->(_, _) { false }
    2.times { poller.step }
    assert_equal [0, 1], [queued.size, call("ZCARD", marks("stopped"))]
  end

  def test_jobs_that_are_enqueued_beside_it_are_not_taken_for_it
    due("beside")
    Around.block = lambda do |job, push|
      Report.set(queue: "audit").perform_async if job["queue"] == "reports"
      assert_equal 0, call("ZCARD", marks("beside")) if job["queue"] == "reports"
      push.call
    end
    poller.step
    assert_equal [1, 1, 1], [queued.size, queued("audit").size, call("ZCARD", marks("beside"))]
  end

  def test_a_job_that_an_enqueue_callback_enqueues_is_not_taken_for_it
    type = Class.new(ActiveJob::Base) { before_enqueue { Report.perform_async } }
    self.class.const_set(:Announced, type) unless self.class.const_defined?(:Announced)
    due("announced", class: "SidekiqCronTest::Announced", queue: "mails")
    seen = []
    Around.block = lambda do |job, push|
      seen << [job["wrapped"].to_s, call("ZCARD", marks("announced"))]
      push.call
    end
    poller.step
    assert_equal [["", 0], ["SidekiqCronTest::Announced", 0]], seen
    assert_equal [1, 1], [queued("mails").size, call("ZCARD", marks("announced"))]
  end

  def test_what_goes_elsewhere_has_its_mark_before
    due("inline", class: Inline.name)
    2.times { poller.step }
    assert_equal [1], Inline.marks

    other = ConnectionPool.new(size: 1) { Mawashi::RedisDriver.open(url: ENV.fetch("REDIS_URL").sub(%r{/\d+\z}, "/1")) }
    other.with { |at| at.call("FLUSHDB") }
    type = Class.new { include Sidekiq::Job }
    type.sidekiq_options(pool: other, queue: "there")
    self.class.const_set(:Elsewhere, type)
    due("elsewhere", class: "SidekiqCronTest::Elsewhere", queue: "there")
    2.times { poller.step }
    assert_equal [1, 1, 0], [other.with { |at| at.call("LLEN", "queue:there") }, call("ZCARD", marks("elsewhere")), queued("there").size]
  end

  def test_a_job_for_later_goes_there_once
    due("later")
    Around.block = ->(job, push) { push.call.merge!("at" => Time.now.to_f + 100) && job }
    2.times { poller.step }
    assert_equal [1, 0, 1], [call("ZCARD", "schedule"), queued.size, call("ZCARD", marks("later"))]
  end

  def test_redis_away_is_said_once_and_the_time_is_not_lost
    due("away")
    log = []
    type = defined?(RedisClient) ? RedisClient::CannotConnectError : Redis::CannotConnectError
    broken = ->(*) { raise type, "no Redis" }
    Mawashi::OwnLog.stub(:say, ->(_, text) { log << text }) do
      Sidekiq.stub(:redis, broken) { 2.times { @poller.step } }
    end
    @poller.step
    assert_equal ["sidekiq-cron: all: no Redis"], log
    assert_equal 1, queued.size
  end
end
