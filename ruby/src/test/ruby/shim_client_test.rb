# frozen_string_literal: true

require "sidekiq"

# What the shipped API does that Sidekiq 6.4.1, with which it shares the contract tests, does not.
class ShimClientTest < Minitest::Test
  class AddJob
    include Sidekiq::Job
  end

  def setup
    @jobs = []
    @calls = 0
    @door = Mawashi::Native.instance_variable_get(:@enqueue)
    Mawashi::Native.connect(->(jobs) { (@calls += 1) && @jobs.concat(jobs) })
  end

  def teardown
    Mawashi::Native.connect(@door)
    Sidekiq.strict_args!
    Sidekiq.default_configuration.client_middleware.clear
    Sidekiq.instance_variable_set(:@default_job_options, nil)
  end

  def payload(index = -1)
    JSON.parse(@jobs.fetch(index)[1])
  end

  # A pool whose connection keeps the commands it is given.
  class Recorder
    attr_reader :commands

    def with
      yield self
    end

    def pipelined
      yield self
    end

    def call(*words)
      (@commands ||= []) << words
    end
  end

  def test_a_pool_of_the_callers_own_is_used_in_place_of_the_server
    pool = Recorder.new
    Sidekiq::Client.via(pool) { AddJob.perform_async(1) }
    AddJob.set("pool" => pool).perform_async(2)
    AddJob.set(pool: pool).perform_bulk([[3]])
    Sidekiq::Client.new(pool: pool).push("class" => AddJob, "args" => [4], "at" => Time.now.to_f + 99)

    assert_empty @jobs
    assert_equal %w[SADD LPUSH SADD LPUSH SADD LPUSH ZADD], pool.commands.map(&:first)
    refute_match(/pool/, pool.commands.flatten.join)
  end

  class OtherClient < Sidekiq::Client
    def push(item)
      super(item.merge("client" => "other"))
    end
  end

  class OtherJob
    include Sidekiq::Job
    sidekiq_options client_class: OtherClient
  end

  def test_a_class_may_name_its_client
    OtherJob.perform_async

    assert_equal "other", payload["client"]
    refute payload.key?("client_class")
  end

  def test_bulk_jobs_that_middleware_stops_leave_their_place_empty
    odd = Class.new { define_method(:call) { |_, job, *, &inner| inner.call if job["args"].first.odd? } }
    Sidekiq.default_configuration.client_middleware.add odd
    jids = AddJob.perform_bulk([[1], [2], [3]])

    assert_equal [false, true, false], jids.map(&:nil?)
    assert_equal 2, @jobs.size
  end

  def test_bulk_takes_a_lazy_list_and_walks_it_in_slices
    walked = 0
    lists = (1..5).lazy.map { |number| (walked += 1) && [number] }
    Mawashi::Native.connect(->(jobs) { @jobs << walked && jobs })
    AddJob.perform_bulk(lists, batch_size: 2)

    assert_equal [2, 4, 5], @jobs
  end

  def test_bulk_may_be_spread_over_a_time
    now = Time.now.to_f
    AddJob.perform_bulk([[1]] * 150, spread_interval: 60)

    times = @jobs.map(&:last)
    assert_operator times.min, :>=, now
    assert_operator times.max, :<=, Time.now.to_f + 60
    assert_operator times.uniq.size, :>, 100
    assert_equal 2, @calls
    [{ spread_interval: 0 }, { spread_interval: 5, at: now }].each do |wrong|
      assert_raises(ArgumentError) { AddJob.perform_bulk([[1]], **wrong) }
    end
    assert_raises(ArgumentError) { Sidekiq::Client.push_bulk("class" => AddJob, "args" => [[1], [2]], "jid" => "x") }
  end

  def test_arguments_that_are_no_json_raise_unless_the_app_says_otherwise
    [[:symbol], [{ a: 1 }], [[Time.now]], [1r]].each do |args|
      assert_raises(ArgumentError, args.inspect) { AddJob.perform_async(*args) }
    end
    Sidekiq.strict_args!(:warn)
    assert_output(nil, /must be native JSON types, but :symbol is a Symbol/) { AddJob.perform_async(:symbol) }
    Sidekiq.strict_args!(false)
    assert_silent { AddJob.perform_async(:symbol, { a: 1 }) }
    assert_equal ["symbol", { "a" => 1 }], payload["args"]
  end

  def test_retry_for_is_a_number_of_seconds
    AddJob.set(retry_for: 90.5).perform_async
    assert_equal 90, payload["retry_for"]
    assert_raises(ArgumentError) { AddJob.set(retry_for: Time.now.to_i).perform_async }
  end

  def test_a_wrapped_class_adds_its_options
    Sidekiq::Client.push("class" => AddJob, "wrapped" => OtherJob, "args" => [])
    assert_equal "ShimClientTest::OtherJob", payload["wrapped"]
  end

  def test_symbols_are_no_fields
    assert_raises(ArgumentError) { AddJob.client_push("class" => AddJob, "args" => [], queue: "x") }
  end

  def test_a_middleware_may_answer_another_payload
    other = Class.new { define_method(:call) { |_, job, *| job.merge("replaced" => true) } }
    Sidekiq.default_configuration.client_middleware.add other
    AddJob.perform_async

    assert payload["replaced"]
  end

  def test_a_clients_middleware_may_be_its_own
    client = Sidekiq::Client.new
    client.middleware { |chain| chain.add(Class.new { def call(*) = nil }) }

    assert_nil client.push("class" => AddJob, "args" => [])
    assert AddJob.perform_async
  end

  def test_defaults_hold_for_classes_that_say_nothing_and_for_names
    Sidekiq.default_job_options = { retry: 5, "backtrace" => true }
    AddJob.perform_async
    assert_equal [5, true], payload.values_at("retry", "backtrace")
    Sidekiq::Client.push("class" => "Elsewhere", "args" => [])
    assert_equal 5, payload["retry"]
  end
end
