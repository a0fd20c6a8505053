# frozen_string_literal: true

require "json"

# The shipped Sidekiq API, seen through the jobs it hands to the server.
class ShimTest < Minitest::Test
  class AddJob
    include Sidekiq::Job
    sidekiq_options queue: "sums", retry: 4

    def perform(*args)
      DONE << [jid, args]
    end
  end

  class HeirJob < AddJob
    sidekiq_options tags: ["heir"]
  end

  class PlainJob
    include Sidekiq::Job
  end

  DONE = []

  def setup
    @jobs = []
    @door = Mawashi::Native.instance_variable_get(:@enqueue)
    Mawashi::Native.connect(->(jobs) { @jobs.concat(jobs) })
    DONE.clear
  end

  def teardown
    Mawashi::Native.connect(@door)
    Sidekiq.default_configuration.client_middleware.clear
    Sidekiq.default_configuration.server_middleware.clear
  end

  def test_perform_async_writes_the_payload_of_sidekiq_8
    jid = AddJob.perform_async(1, "x", { "k" => [1.5, nil, true] })
    queue, text, at = @jobs.fetch(0)
    assert_equal "sums", queue
    assert_nil at
    assert_match(/\A\h{24}\z/, jid)
    assert_match(/\A\{"retry":4,"queue":"sums","args":\[1,"x",\{"k":\[1.5,null,true\]\}\],"class":"ShimTest::AddJob",
                 "jid":"#{jid}","created_at":\d{13},"enqueued_at":\d{13}\}\z/x, text)
  end

  def test_a_class_without_options_gets_the_defaults_in_sidekiqs_order
    PlainJob.perform_async
    assert_match(/\A\{"retry":true,"queue":"default","args":\[\],"class":"ShimTest::PlainJob","jid":"\h{24}",/, @jobs[0][1])
    Sidekiq::Client.push("class" => "PlainJob", "args" => [])
    assert_match(/\A\{"retry":true,"queue":"default","class":"PlainJob","args":\[\],"jid":"\h{24}",/, @jobs[1][1])
  end

  def test_perform_in_and_perform_at_give_a_time_and_no_enqueued_at
    AddJob.perform_in(600, 1)
    AddJob.perform_at(Time.now + 1_200, 1)
    assert_in_delta Time.now.to_f + 600, @jobs[0][2], 60
    assert_in_delta Time.now.to_f + 1_200, @jobs[1][2], 60
    refute_includes @jobs[0][1], "enqueued_at"
    refute_includes @jobs[0][1], '"at"'
  end

  def test_a_time_in_the_past_means_now
    AddJob.perform_in(-1, 1)
    AddJob.perform_at(Time.now - 60, 1)
    assert_equal [nil, nil], @jobs.map(&:last)
  end

  def test_set_changes_one_push_and_options_are_inherited
    HeirJob.set(queue: :low).set(retry: false, wait: 1_000).perform_async(7)
    job = JSON.parse(@jobs[0][1])
    assert_equal ["low", false, ["heir"]], job.values_at("queue", "retry", "tags")
    assert_in_delta Time.now.to_f + 1_000, @jobs[0][2], 60
    refute AddJob.get_sidekiq_options.key?("tags")
  end

  def test_perform_bulk_pushes_in_slices_and_returns_all_jids
    calls = 0
    Mawashi::Native.connect(->(jobs) { calls += 1 and @jobs.concat(jobs) })
    jids = AddJob.perform_bulk((1..5).map { |n| [n] }, batch_size: 2)
    assert_equal 3, calls
    assert_equal [[1], [2], [3], [4], [5]], @jobs.map { |job| JSON.parse(job[1])["args"] }
    assert_equal jids, @jobs.map { |job| JSON.parse(job[1])["jid"] }
    assert_empty AddJob.perform_bulk([])
  end

  def test_perform_bulk_may_give_each_job_its_time
    soon = Time.now.to_f + 50
    AddJob.perform_bulk([[1], [2]], at: [soon, soon + 1])
    assert_equal [soon, soon + 1], @jobs.map(&:last)
    assert_raises(ArgumentError) { AddJob.perform_bulk([[1], [2]], at: [soon]) }
  end

  def test_client_push_takes_class_names_and_any_field
    Sidekiq::Client.push("class" => "Elsewhere::Job", "args" => [1], "jid" => "mine", "extra" => 1)
    job = JSON.parse(@jobs[0][1])
    assert_equal ["Elsewhere::Job", "mine", 1, true], job.values_at("class", "jid", "extra", "retry")
  end

  def test_bad_input_is_refused
    bad = [nil, {}, { "class" => AddJob }, { "class" => AddJob, "args" => 1 }, { "class" => 1, "args" => [] },
           { "class" => AddJob, "args" => [], "at" => "x" }, { "class" => AddJob, "args" => [], "tags" => "x" },
           { "class" => AddJob, "args" => [], "queue" => "" }, { "class" => String, "args" => [] },
           { "class" => AddJob, "args" => [:symbol] }, { "class" => AddJob, "args" => [{ a: 1 }] },
           { "class" => AddJob, "args" => [[Object.new]] }]
    bad.each { |item| assert_raises(ArgumentError, item.inspect) { Sidekiq::Client.push(item) } }
    assert_raises(ArgumentError) { AddJob.perform_bulk([1]) }
    assert_empty @jobs
  end

  def test_perform_inline_runs_here_with_json_arguments
    assert_equal true, AddJob.perform_inline(1, { "a" => 2 })
    assert_equal [1, { "a" => 2 }], DONE[0][1]
    assert_empty @jobs
  end

  class Stamp
    def initialize(name) = @name = name

    def call(_job, payload, _queue, _pool = nil)
      (payload["stamps"] ||= []) << @name
      yield
    end
  end

  class Stop
    def call(*) = false
  end

  def test_client_middleware_runs_in_order_and_may_stop_a_push
    Sidekiq.configure_server do |config|
      config.client_middleware do |chain|
        chain.add Stamp, "a"
        chain.add Stop
        chain.remove Stop
      end
    end
    AddJob.perform_async
    assert_equal ["a"], JSON.parse(@jobs[0][1])["stamps"]
    Sidekiq.default_configuration.client_middleware { |chain| chain.prepend Stop }
    assert_nil AddJob.perform_async
    assert_equal 1, @jobs.size
  end
end
