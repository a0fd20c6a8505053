# frozen_string_literal: true

$LOAD_PATH.unshift(ENV["SIDEKIQ_SCHEDULER"] || File.expand_path("../gems/sidekiq-scheduler", __dir__))
require "mawashi/redis_driver"
require "mawashi/scheduler_gem"
require "minitest/mock"
require "sidekiq-scheduler"
require "tmpdir"

# The schedules of the gem sidekiq-scheduler in one process of several. REDIS_URL names a Redis that may be emptied.
class SchedulerGemTest < Minitest::Test
  # As much of a SidekiqGem as has a turn.
  App = Struct.new(:lifecycle_events, :error_handlers, :turn) do
    def lifecycle
      self
    end

    def call_error_handler(handler, error, context)
      handler.call(error, context)
    end
  end

  class Work
    include Sidekiq::Job
    sidekiq_options queue: "work"
  end

  YEARLY = "0 0 1 1 *"
  Mawashi::SchedulerGem.join(App.new({}))
  Sidekiq.logger.level = Logger::FATAL
  Redis.sadd_returns_boolean = false if defined?(Redis) && Redis.respond_to?(:sadd_returns_boolean=)

  def setup
    Sidekiq.redis(&:flushdb)
    Sidekiq.instance_variable_set(:@schedule, nil)
    @folder = Dir.mktmpdir
    @errors = []
    @log = []
  end

  def teardown
    turn(nil)
    SidekiqScheduler::Scheduler.instance.clear_schedule!
    FileUtils.rm_r(@folder)
  end

  def call(*command)
    Sidekiq.redis { |connection| connection.call(*command) }
  end

  def turn(gem)
    Mawashi::SchedulerGem.instance_variable_set(:@current, gem)
  end

  # Gives the turn to another process.
  def take_turn(path = nil)
    handler = ->(error, context) { @errors << "#{context[:context]}: #{error.message}" }
    turn(Mawashi::SchedulerGem.new(App.new({}, [handler], path)))
  end

  # As the gem's block for the start.
  def load_all(entries, dynamic: false)
    scheduler = SidekiqScheduler::Scheduler.new
    scheduler.enabled = true
    scheduler.dynamic = dynamic
    scheduler.dynamic_every = "1h" if scheduler.respond_to?(:dynamic_every=)
    SidekiqScheduler::Scheduler.instance = scheduler
    Mawashi::OwnLog.stub(:say, ->(_, text) { @log << text }) do
      Sidekiq.schedule = entries unless entries == :those_in_redis
      scheduler.load_schedule!
    end
    scheduler
  end

  def entry(times)
    { "class" => Work.name }.merge(times)
  end

  def register(name, second)
    SidekiqScheduler::RedisManager.register_job_instance(name, Time.at(second))
  end

  def queued
    call("LRANGE", "queue:work", 0, -1).map { |text| JSON.parse(text) }
  end

  def test_a_process_whose_turn_it_is_not_fires_nothing
    assert_nil load_all({ "a" => entry("every" => "1s") }).scheduled_jobs
    take_turn
    assert_equal %w[a], load_all({ "a" => entry("every" => "1h") }).scheduled_jobs.keys
  end

  def test_a_bad_entry_stops_no_other_and_is_named
    take_turn
    bad = { "line" => entry("cron" => "nonsense"), "none" => nil, "text" => "0 3 * * *", "number" => entry("every" => 5) }
    assert_equal %w[good], load_all(bad.merge("good" => entry("cron" => YEARLY))).scheduled_jobs.keys
    assert_equal %w[line none number text], @log.map { |line| line[/\Asidekiq-scheduler: (\w+): /, 1] }.sort
    assert_empty @log.grep(/\n/)
  end

  def test_a_bad_entry_in_redis_stops_no_other
    take_turn
    call("HSET", "schedules", "text", "{", "list", "[]", "good", JSON.generate(entry("cron" => YEARLY)))
    assert_equal %w[good], load_all(:those_in_redis, dynamic: true).scheduled_jobs.keys
    assert_equal %w[list text], @log.map { |line| line[/\Asidekiq-scheduler: (\w+): /, 1] }.sort
    Sidekiq.schedule = { "good" => entry("cron" => YEARLY) }
    assert_equal %w[good], Sidekiq.reload_schedule!.keys
  end

  def test_no_schedule_at_all
    take_turn
    assert_empty load_all(nil).scheduled_jobs
  end

  def test_the_times_of_a_line_are_those_of_all_processes
    2.times do
      take_turn
      load_all({ "a" => entry("cron" => "* * * * * *") }) if Sidekiq.schedule.nil?
    end
    assert_equal [true, false, true, true], [100, 100, 101, 102].map { |second| register("a", second) }
  end

  def test_of_processes_with_a_period_one_goes_on_and_another_comes_after_it
    processes = %w[a b].map do
      take_turn
      Mawashi::SchedulerGem.current
    end
    load_all({ "a" => entry("every" => "1h") })
    # A comes when it is due, sometimes late. B would come half an hour after it.
    times = [[0, 0], [1, 1_800], [0, 3_600], [1, 5_400], [0, 7_300], [0, 10_800], [1, 12_600], [1, 16_200], [0, 18_000],
             [1, 19_800]]
    came = times.map do |process, second|
      turn(processes[process])
      register("a", 1_000_000 + second)
    end
    assert_equal [true, false, true, false, true, true, false, true, false, true], came
    assert_in_delta 86_400, call("TTL", "sidekiq-scheduler:pushed:a"), 10
  end

  def test_a_long_period_is_kept_as_long
    take_turn
    load_all({ "a" => entry("interval" => "48h") })
    assert register("a", 1_000_000)
    take_turn
    refute register("a", 1_000_000 + 86_401)
    assert_operator call("TTL", "sidekiq-scheduler:pushed:a"), :>, 172_000
  end

  def test_an_entry_that_comes_at_each_start_does
    3.times do |second|
      take_turn
      load_all({ "a" => entry("every" => ["48h", { "first_in" => "1h" }]) })
      assert register("a", 1_000_000 + second)
    end
    assert register("a", 1_000_010)
    take_turn
    load_all({ "a" => entry("every" => ["48h", { "first_in" => "1h" }]) })
    assert register("a", 1_000_011)
  end

  def test_what_came_once_in_a_server_does_not_come_again
    path = File.join(@folder, "once")
    FileUtils.touch(path)
    load_all({}) # before any turn
    take_turn(path)
    assert_equal %w[a], load_all({ "a" => entry("in" => "1h") }).scheduled_jobs.keys
    assert register("a", 100)
    take_turn(path)
    assert_equal %w[b], load_all({ "a" => entry("in" => "1h"), "b" => entry("in" => "1h") }).scheduled_jobs.keys
  end

  # A process ends, and the next one begins.
  def test_a_time_between_two_processes_is_made_up_for
    path = File.join(@folder, "once")
    FileUtils.touch(path)
    line = (Time.now - 2).strftime("%-S %-M %-H * * *")
    entries = { "a" => entry("cron" => line), "off" => entry("cron" => line, "enabled" => false) }
    take_turn(path)
    load_all(entries)
    assert_empty queued
    File.utime(Time.now - 5, Time.now - 5, path)
    2.times do
      take_turn(path)
      load_all(entries)
    end
    assert_equal 1, queued.size
    call("DEL", "queue:work", "sidekiq-scheduler:pushed:a")
    Mawashi::SchedulerGem.current.turn.hold
    take_turn(path)
    load_all(entries)
    assert_empty queued
  end

  def test_what_was_set_at_run_time_is_there_for_the_next_process
    path = File.join(@folder, "once")
    FileUtils.touch(path)
    take_turn(path)
    load_all({ "a" => entry("every" => "1h") }, dynamic: true)
    Sidekiq.set_schedule("b", entry("every" => "1h"))
    take_turn(path)
    assert_equal %w[a b], load_all({ "a" => entry("every" => "1h") }, dynamic: true).scheduled_jobs.keys.sort
  end

  def test_what_is_raised_while_a_job_is_enqueued_is_reported
    take_turn
    call("SET", "queue:work", "text")
    load_all({ "a" => entry("cron" => YEARLY) }).idempotent_job_enqueue("a", Time.at(100), entry({ "queue" => "work" }))
    assert_equal 1, @errors.grep(/\AException in sidekiq-scheduler: .*WRONGTYPE/).size, @errors
    call("SET", "sidekiq-scheduler:pushed:b", "text")
    SidekiqScheduler::Scheduler.instance.idempotent_job_enqueue("b", Time.at(100), entry({}))
    assert_equal 2, @errors.size
  end

  def test_operators_are_answered
    take_turn
    load_all({ "a" => entry("cron" => YEARLY, "args" => [1], "enabled" => false) })
    ["1 a", "2 gone"].each { |request| call("LPUSH", "mw:cron:asked:scheduler", request) }
    Mawashi::SchedulerGem.current.step
    call("LPUSH", "mw:cron:asked:scheduler", "3 a")
    SidekiqScheduler::Scheduler.instance.stub(:enqueue_job, nil) { Mawashi::SchedulerGem.current.step }
    assert_match(/\A-a lock, .* kept it out\z/, call("LRANGE", "mw:cron:answer:3", 0, -1).first)
    assert_equal [[1]], queued.map { |job| job["args"] }
    assert_equal ["+#{queued.first["jid"]}"], call("LRANGE", "mw:cron:answer:1", 0, -1)
    assert_equal ["-the schedule is gone"], call("LRANGE", "mw:cron:answer:2", 0, -1)
    assert_equal(["schedules"], Sidekiq.redis { |connection| connection.hgetall("mw:cron:scheduler") }.keys)
  end
end
