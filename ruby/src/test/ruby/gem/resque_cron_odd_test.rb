# frozen_string_literal: true

require_relative "resque_cron_case"

# What keeps a time or a schedule from enqueueing a job.
class ResqueCronOddTest < ResqueCronCase
  def test_a_server_that_lost_the_lock_while_the_app_enqueued_stores_nothing
    Resque.schedule = { "pulse" => SECOND.merge("class" => "ResqueCronCase::Hooked") }
    Hooked.hook = -> { call("SET", LOCK, "host:1") }
    @firing.step
    later(1_000)

    assert_empty queued("hooked")
    assert_empty runs("pulse")
    assert_empty @failed
  end

  def test_a_bad_entry_is_named_and_stops_no_other
    Resque.schedule = {
      "line" => SECOND.merge("cron" => "every now and then"), "never" => SECOND.merge("cron" => "0 0 31 2 *"),
      "none" => { "class" => "ResqueCronCase::Report" }, "ends" => SECOND.merge("cron" => ["* * * * *", { "times" => 2 }]),
      "every" => { "every" => "soon", "class" => "ResqueCronCase::Report" }, "good" => SECOND
    }
    call("HSET", "app:persistent_schedules", "text", "{", "list", "[]", "late", JSON.generate(SECOND))
    @firing.step
    later(1_000)
    assert_equal 2, queued.size
    assert_equal %w[ends every line list never none text], said.sort
  end

  def test_a_server_starts_whatever_there_is
    refute_predicate Mawashi::Resque::Cron::Schedules, :any?
    call("HSET", "app:persistent_schedules", "text", "{")
    assert_predicate Mawashi::Resque::Cron::Schedules, :any?
    Resque.redis = nil
    assert_predicate Mawashi::Resque::Cron::Schedules, :any?
  end

  def test_a_key_of_another_type_stops_those_in_memory_not
    call("SET", "app:persistent_schedules", "x")
    Resque.schedule = { "good" => SECOND }
    @firing.step
    later(1_000)
    assert_equal 1, queued.size
    assert_equal ["persistent_schedules"], said
  end

  def test_schedules_of_another_environment_are_none
    Resque.schedule = { "a" => SECOND.merge("rails_env" => "production"), "b" => SECOND.merge("env" => "production, test") }
    @firing.step
    later(1_000)
    assert_empty runs("a")
    assert_equal ["enqueued"], runs("b")
  end

  def test_a_hook_keeps_the_job_out_and_an_error_is_tried_again
    Resque.schedule = { "hook" => { "cron" => "20 13 22 * * *", "class" => "ResqueCronCase::Hooked" } }
    Hooked.hook = -> { raise IOError, "no disk" }
    Lock.now -= 1_000
    @firing.step
    later(1_000)
    later(5_000)
    assert_equal ["refused"], runs("hook")
    assert_equal ["no disk"], @failed
    assert_equal ["hook"], said
    later(6_100)
    assert_equal 2, @failed.size
    Hooked.hook = -> { false }
    later(11_000)
    assert_equal %w[stopped refused], runs("hook")
    assert_empty queued("hooked")
  end

  def test_what_redis_refuses_leaves_the_time_open
    Resque.schedule = { "pulse" => { "cron" => "20 13 22 * * *", "class" => "ResqueCronCase::Report" } }
    Lock.now -= 1_000
    @firing.step
    call("SET", "app:queue:reports", "no list")
    later(1_000)
    assert_equal ["refused"], runs("pulse")
    assert_nil call("HGET", "app:delayed:last_enqueued_at", "pulse")
    call("DEL", "app:queue:reports")
    later(11_000)
    assert_equal 1, queued.size
    assert_equal %w[enqueued refused], runs("pulse")
  end

  def test_a_script_that_is_sent_twice_stores_one_job
    Resque.schedule = { "pulse" => SECOND }
    @firing.step
    run = Mawashi::Resque::Cron::Place.method(:run)
    # As the redis gem does when a reply is lost.
    Mawashi::Resque::Cron::Place.stub(:run, ->(*words) { [run.call(*words), run.call(*words)].last }) { later(1_000) }
    assert_equal 1, queued.size
    assert_equal ["enqueued"], runs("pulse")
  end

  def test_a_pause_enqueues_nothing_and_is_not_made_up_for
    Resque.schedule = { "pulse" => SECOND }
    call("SADD", "mw:cron:paused", "app:pulse")
    @firing.step
    3.times { later(1_000) }
    call("SREM", "mw:cron:paused", "app:pulse")
    assert_equal ["paused"], runs("pulse")
    later(1_000)
    assert_equal 1, queued.size
  end
end
