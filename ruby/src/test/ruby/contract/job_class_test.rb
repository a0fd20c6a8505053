# frozen_string_literal: true

require "sidekiq/testing"

Sidekiq::Testing.disable!

# What a job class says and does. The same on Sidekiq and on what Mawashi ships.
class JobClassContract < Minitest::Test
  class FirstJob
    include Sidekiq::Job
    sidekiq_options retry: 3, queue: :first, "backtrace" => true
    sidekiq_retry_in { |count| count * 2 }
    sidekiq_retries_exhausted { |job| job["jid"] }
    sidekiq_class_attribute :owner
    self.owner = "billing"
  end

  class HeirJob < FirstJob
    sidekiq_options tags: ["heir"]
  end

  class RebelJob < FirstJob
    sidekiq_options queue: "own"
    sidekiq_retry_in { 7 }
    self.owner = "rebels"
  end

  class BareJob
    include Sidekiq::Worker
  end

  class QueuedJob
    include Sidekiq::Job
    queue_as :named
  end

  def setup
    Sidekiq::Testing.fake!
    Sidekiq::Job.clear_all
  end

  def teardown
    Sidekiq::Testing.disable!
  end

  def job
    Sidekiq::Job.jobs.last
  end

  def test_options_have_defaults_string_keys_and_order
    assert_equal({ "retry" => true, "queue" => "default" }, BareJob.get_sidekiq_options)
    assert_equal({ "retry" => 3, "queue" => :first, "backtrace" => true }, FirstJob.get_sidekiq_options)
    FirstJob.perform_async
    assert_equal %w[retry queue backtrace args class jid created_at enqueued_at], job.keys
    assert_equal "first", job["queue"]
    QueuedJob.perform_async
    assert_equal "named", job["queue"]
  end

  def test_subclasses_inherit_and_may_change_what_is_theirs
    assert_equal [["heir"], 3], HeirJob.get_sidekiq_options.values_at("tags", "retry")
    refute FirstJob.get_sidekiq_options.key?("tags")
    assert_equal [14, 14, 7], [FirstJob, HeirJob, RebelJob].map { |type| type.sidekiq_retry_in_block.call(7) }
    assert_equal "x", HeirJob.sidekiq_retries_exhausted_block.call({ "jid" => "x" })
    assert_nil BareJob.sidekiq_retry_in_block
    assert_nil BareJob.sidekiq_retries_exhausted_block
  end

  def test_class_attributes_reach_subclasses_and_instances
    assert_equal %w[billing billing rebels], [FirstJob, HeirJob, RebelJob].map(&:owner)
    instance = HeirJob.new
    assert_equal "billing", instance.owner
    instance.owner = "mine"
    assert_equal ["mine", "billing"], [instance.owner, HeirJob.owner]
  end

  def test_options_of_one_push
    HeirJob.set(queue: :low, retry: false).set("tags" => ["x"], custom: 5).perform_async(1)

    assert_equal ["low", false, ["x"], 5, [1]], job.values_at("queue", "retry", "tags", "custom", "args")
    HeirJob.perform_async
    assert_equal "first", job["queue"]
  end

  def test_times_are_seconds_from_now_or_moments
    moment = Time.now + 500
    { -> { BareJob.perform_in(300) } => 300, -> { BareJob.perform_at(moment) } => 500,
      -> { BareJob.set(wait: 200).perform_async } => 200, -> { BareJob.set(wait_until: moment).perform_async } => 500,
      -> { BareJob.set(queue: "x").perform_in(100) } => 100, -> { BareJob.perform_at(moment.to_f) } => 500 }
      .each do |push, seconds|
        Sidekiq::Job.clear_all
        push.call
        assert_in_delta Time.now.to_f + seconds, job["at"], 60
      end
  end

  def test_what_is_due_already_is_enqueued_at_once
    BareJob.perform_in(0)
    refute job.key?("at")
    BareJob.perform_at(Time.now - 5)
    refute job.key?("at")
  end

  def test_the_clients_short_forms
    Sidekiq::Client.enqueue(BareJob, 1)
    Sidekiq::Client.enqueue_to("low", BareJob, 2)
    Sidekiq::Client.enqueue_in(60, BareJob, 3)
    Sidekiq::Client.enqueue_to_in("low", 60, BareJob, 4)

    jobs = BareJob.jobs
    assert_equal [[1], [2], [3], [4]], jobs.map { |one| one["args"] }
    assert_equal %w[default low default low], jobs.map { |one| one["queue"] }
    assert_equal [false, false, true, true], jobs.map { |one| one.key?("at") }
  end

  def test_bulk_may_give_one_time_or_one_for_each
    soon = Time.now.to_f + 100
    Sidekiq::Client.push_bulk("class" => BareJob, "args" => [[1], [2]], "at" => soon)
    Sidekiq::Client.push_bulk("class" => BareJob, "args" => [[3], [4]], "at" => [soon, soon + 1])

    assert_equal [soon, soon, soon, soon + 1], BareJob.jobs.map { |one| one["at"] }
    assert_equal [], Sidekiq::Client.push_bulk("class" => BareJob, "args" => [])
  end

  BAD = [
    "a string", {}, { "class" => BareJob }, { "args" => [] }, { "class" => BareJob, "args" => 1 },
    { "class" => 1, "args" => [] }, { "class" => String, "args" => [] },
    { "class" => BareJob, "args" => [], "at" => "soon" }, { "class" => BareJob, "args" => [], "tags" => "x" },
    { "class" => BareJob, "args" => [], "queue" => "" }
  ].freeze

  def test_what_is_no_job_is_refused
    BAD.each { |item| assert_raises(ArgumentError, item.inspect) { Sidekiq::Client.push(item) } }
    assert_raises(ArgumentError) { Sidekiq::Client.push_bulk("class" => BareJob, "args" => [1]) }
    assert_raises(ArgumentError) { Sidekiq::Client.push_bulk("class" => BareJob, "args" => [[1]], "at" => []) }
    assert_raises(ArgumentError) { Sidekiq::Client.push_bulk("class" => BareJob, "args" => [[1]], "at" => [1, 2]) }
    assert_raises(ArgumentError) { Sidekiq::Client.via(nil) }
    assert_empty Sidekiq::Job.jobs
  end

  def test_a_jid_and_fields_of_the_callers_own_are_kept
    assert_equal "mine", Sidekiq::Client.push("class" => BareJob, "args" => [], "jid" => "mine", "x" => { "y" => 1 })
    assert_equal ["mine", { "y" => 1 }], job.values_at("jid", "x")
    assert_match(/\A\h{24}\z/, BareJob.perform_async)
  end

  def test_what_apps_ask_sidekiq_itself
    assert_equal({ "retry" => true, "queue" => "default" }, Sidekiq.default_job_options) if
      Sidekiq.respond_to?(:default_job_options)
    assert_equal({ "a" => 1 }, Sidekiq.load_json(Sidekiq.dump_json("a" => 1)))
    refute Sidekiq.pro?
    refute Sidekiq.ent? if Sidekiq.respond_to?(:ent?)
    assert_kind_of Interrupt, Sidekiq::Shutdown.new
    assert_respond_to Sidekiq, :redis_pool
  end
end
