# frozen_string_literal: true

require_relative "resque_cron_case"

# Which times of schedules enqueue a job, beside other servers and a resque-scheduler.
class ResqueCronTest < ResqueCronCase
  def test_a_time_is_enqueued_once_with_mark_record_and_the_gems_own_note
    Resque.schedule = { "pulse" => SECOND.merge("args" => { "a" => "é" }) }
    @firing.step
    assert_empty queued

    later(600)
    later(100)

    assert_equal ['{"class":"ResqueCronCase::Report","args":[{"a":"é"}]}'], queued.map { |text| text.dup.force_encoding("UTF-8") }
    assert_equal ["reports"], call("SMEMBERS", "app:queues")
    assert_equal ["enqueued"], runs("pulse")
    assert_equal 1_700_000_001_000, JSON.parse(call("HGET", MARKS, "pulse")).fetch("tick")
    assert Time.parse(call("HGET", "app:delayed:last_enqueued_at", "pulse"))
    assert_match(/\Amawashi:.+:#{Process.pid}:\h+\z/, call("GET", LOCK))
    assert_includes 1..15, call("TTL", LOCK)
  end

  def test_nothing_is_enqueued_while_a_resque_scheduler_is_master_nor_for_its_times_afterwards
    Resque.schedule = { "pulse" => SECOND, "slow" => { "every" => "10s", "class" => "ResqueCronCase::Report", "queue" => "slow" } }
    @firing.step
    call("SET", LOCK, "host:1")
    later(5_000)
    assert_empty queued
    assert_equal "host:1", call("GET", LOCK)

    # As `enqueue_recurring` notes it.
    call("HSET", "app:delayed:last_enqueued_at", "pulse", Time.at(1_700_000_005).to_s, "slow", Time.at(1_700_000_005).to_s)
    call("DEL", LOCK)
    @firing.step
    assert_empty queued
    later(500)
    assert_equal 1, queued.size
    later(8_500)
    assert_empty queued("slow")
    later(500)
    assert_equal 1, queued("slow").size
  end

  def test_of_two_servers_one_enqueues_and_the_other_goes_on_where_it_died
    Resque.schedule = { "pulse" => SECOND }
    other = firing
    @firing.step
    other.step
    later(1_000)
    other.step
    assert_equal 1, queued.size

    # Its lock has lapsed.
    call("DEL", LOCK)
    Lock.now += 1_000
    other.step
    @firing.step
    assert_equal 2, queued.size

    other.leave
    assert_nil call("GET", LOCK)
  end

  def test_missed_times_are_left_out_but_for_the_last_of_a_minute
    Resque.schedule = { "hourly" => { "cron" => "0 * * * *", "class" => "ResqueCronCase::Report" }, "pulse" => SECOND }
    @firing.step
    later(4 * 60 * 60 * 1_000)
    assert_equal ["missed"], runs("hourly")
    assert_equal ["enqueued"], runs("pulse")
  end

  def test_intervals_begin_as_asked_and_go_on_after_a_restart
    job = { "class" => "ResqueCronCase::Report" }
    Resque.schedule = { "a" => job.merge("every" => ["1h", { "first_in" => "5s" }], "queue" => "a"),
                        "b" => job.merge("every" => ["1h", { "first_at" => "now" }], "queue" => "b"),
                        "c" => job.merge("every" => "1h", "queue" => "c") }
    @firing.step
    @firing.leave
    @firing = firing
    later(6_000)
    assert_equal([1, 1, 0], %w[a b c].map { |name| queued(name).size })
    @firing.leave
    @firing = firing
    later((60 * 60 * 1_000) - 2_000)
    assert_equal([1, 2, 1], %w[a b c].map { |name| queued(name).size })
    later(2_000)
    assert_equal([2, 2, 1], %w[a b c].map { |name| queued(name).size })
  end

  def test_the_next_child_of_a_server_goes_on_at_once
    Resque.schedule = { "pulse" => SECOND }
    lock = Lock.new
    first, second = [lock.dup, lock.dup].map { |copy| Mawashi::Resque::Cron::Firing.new(copy) }
    first.step
    Lock.now += 1_000
    first.step
    Lock.now += 1_000
    second.step
    second.step
    assert_equal 2, queued.size
  end
end
