# frozen_string_literal: true

require_relative "sidekiq_cron_case"

# Jobs that do not go the usual way, operators who want one now, and a Redis that refuses or is away.
class SidekiqCronOddTest < SidekiqCronCase
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

  def test_a_job_with_a_lock_takes_it_and_is_kept_out_by_it
    due("locked", class: Once.name)
    poller.step
    assert_equal [1, 1], [queued.size, call("ZCARD", marks("locked"))]
    assert_equal [queued.first["jid"]], call("HVALS", "mw:locks").map { |lock| lock.split[1] }
    due("again", class: Once.name)
    2.times { poller.step }
    assert_equal [1, 1], [queued.size, call("ZCARD", marks("again"))]
    call("LPUSH", "mw:cron:asked", "1 #{key("again")}")
    poller.step
    assert_equal ["-an equal job holds its lock"], call("LRANGE", "mw:cron:answer:1", 0, -1)
    again = find("again").jid_history_from_redis
    assert_equal [[nil, "locked"]] * 2, again.map { |note| note.values_at("jid", "outcome") }
    assert_equal [nil], find("locked").jid_history_from_redis.map { |note| note["outcome"] }
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
    due("announced", class: "#{self.class}::Announced", queue: "mails")
    seen = []
    Around.block = lambda do |job, push|
      seen << [job["wrapped"].to_s, call("ZCARD", marks("announced"))]
      push.call
    end
    poller.step
    assert_equal [["", 0], ["#{self.class}::Announced", 0]], seen
    assert_equal [1, 1], [queued("mails").size, call("ZCARD", marks("announced"))]
  end

  def test_what_goes_elsewhere_has_its_mark_before
    due("inline", class: Inline.name)
    2.times { poller.step }
    assert_equal [1], Inline.marks
    call("LPUSH", "mw:cron:asked", "1 #{key("inline")}")
    poller.step
    assert_equal ["+"], call("LRANGE", "mw:cron:answer:1", 0, -1)

    other = ConnectionPool.new(size: 1) { Mawashi::RedisDriver.open(url: ENV.fetch("REDIS_URL").sub(%r{/\d+\z}, "/1")) }
    other.with { |at| at.call("FLUSHDB") }
    type = Class.new { include Sidekiq::Job }
    type.sidekiq_options(pool: other, queue: "there")
    self.class.const_set(:Elsewhere, type)
    due("elsewhere", class: "#{self.class}::Elsewhere", queue: "there")
    2.times { poller.step }
    there = other.with { |at| at.call("LLEN", "queue:there") }
    assert_equal [1, 1, 0], [there, call("ZCARD", marks("elsewhere")), queued("there").size]
  end

  def test_a_job_for_later_goes_there_once
    due("later")
    Around.block = ->(job, push) { push.call.merge!("at" => Time.now.to_f + 100) && job }
    2.times { poller.step }
    assert_equal [1, 0, 1], [call("ZCARD", "schedule"), queued.size, call("ZCARD", marks("later"))]
  end

  def test_a_job_that_an_operator_asks_for_is_enqueued_by_the_gem
    due("asked", status: "disabled")
    call("LPUSH", "mw:cron:asked", "1 #{key("asked")}", "2 #{key("gone")}", "3 #{key("stopped")}")
    due("stopped", status: "disabled")
    Around.block = ->(job, push) { push.call if job["queue"] == "reports" && queued.empty? }
    @poller.step
    jid = queued.first["jid"]
    answers = (1..3).map { |id| call("LRANGE", "mw:cron:answer:#{id}", 0, -1) }
    stopped = "-client middleware or a callback of the app kept it out"
    assert_equal [["+#{jid}"], ["-the schedule is gone"], [stopped]], answers
    assert_equal jid, find("asked").jid_history_from_redis.first["jid"]
    assert_operator call("TTL", "mw:cron:answer:1"), :>, 0
    assert_equal [], call("LRANGE", "mw:cron:asked", 0, -1)
    Around.block = ->(*) { raise "no\nmore" }
    call("LPUSH", "mw:cron:asked", "4 #{key("asked")}")
    @poller.step
    assert_equal ["-RuntimeError: no"], call("LRANGE", "mw:cron:answer:4", 0, -1)
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
