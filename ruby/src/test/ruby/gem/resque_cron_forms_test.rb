# frozen_string_literal: true

require_relative "resque_cron_case"

# The forms of schedules and of their classes, and what others see of them.
class ResqueCronFormsTest < ResqueCronCase
  def test_dynamic_schedules_come_change_and_go_while_the_server_runs
    Resque::Scheduler.dynamic = true
    @firing.step
    assert_nil call("GET", LOCK)
    call("HSET", "app:persistent_schedules", "new", JSON.generate(SECOND))
    call("SADD", "app:schedules_changed", "new")
    @firing.step
    later(1_000)
    assert_equal 1, queued.size
    call("HSET", "app:persistent_schedules", "new", JSON.generate(SECOND.merge("queue" => "low")))
    call("SADD", "app:schedules_changed", "new")
    later(1_000)
    assert_equal([1, 1], [queued.size, queued("low").size])
    call("DEL", "app:persistent_schedules")
    call("SADD", "app:schedules_changed", "new")
    later(1_000)
    later(1_000)
    assert_equal([1, 1], [queued.size, queued("low").size])
    assert_nil call("GET", LOCK)
    assert_equal 0, call("HLEN", MARKS)
  end

  def test_the_masters_changes_are_left_to_a_resque_scheduler
    Resque::Scheduler.dynamic = true
    call("HSET", "app:persistent_schedules", "new", JSON.generate(SECOND))
    call("SADD", "app:schedules_changed", "new")
    call("SET", LOCK, "host:1")
    2.times { later(1_000) }
    assert_equal ["new"], call("SMEMBERS", "app:schedules_changed")
  end

  def test_classes_that_enqueue_by_themselves_do_and_a_crash_between_repeats_nothing
    Resque.schedule = { "own" => SECOND.merge("class" => "ResqueCronCase::Custom", "queue" => "q", "args" => [1]),
                        "custom" => SECOND.merge("custom_job_class" => "ResqueCronCase::Custom", "queue" => "r") }
    @firing.step
    later(1_000)
    assert_equal ['{"class":"ResqueCronCase::Custom","args":[1]}'], queued("q_custom")
    assert_equal ['{"class":"ResqueCronCase::Report","args":[]}'], queued("r_custom")
    assert_equal 2, queued("more").size
    Custom.stub(:scheduled, ->(*) { raise IOError, "gone" }) { later(1_000) }
    later(20_000)
    assert_equal %w[enqueued enqueued enqueued], runs("own")
  end

  def test_others_see_the_schedules_and_have_one_run_by_any_server
    Resque.schedule = { "pulse" => SECOND.merge("description" => "beats"), "kept" => SECOND.merge("class" => "ResqueCronCase::Hooked"),
                        "often" => { "every" => "1h", "class" => "ResqueCronCase::Report", "args" => ["secret"] } }
    Hooked.hook = -> { false }
    call("SET", LOCK, "host:1")
    { "a" => "pulse", "b" => "kept", "c" => "gone" }.each { |id, name| call("LPUSH", "mw:{app}:cron:asked", "#{id} app:#{name}") }
    @firing.step

    assert_equal(%w[+ -an -the], %w[a b c].map { |id| call("LPOP", "mw:cron:answer:#{id}").split.first })
    assert_equal 1, queued.size
    assert_equal ["enqueued"], runs("pulse")
    assert_equal ["app"], call("SMEMBERS", "mw:cron:resque")
    assert_equal({ "name" => "app:often", "cron" => "every 1h", "zone" => EtOrbi::EoTime.now.zone.name, "description" => "",
                   "class" => "ResqueCronCase::Report", "queue" => "reports", "every" => 3_600_000 }, listed.last)
    assert_equal "beats", listed.first["description"]

    call("DEL", LOCK)
    later(30_000)
    @firing = firing
    @firing.step
    assert_equal 1_700_003_630_500, listed.last["next"]
  end
end
