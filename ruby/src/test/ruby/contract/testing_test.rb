# frozen_string_literal: true

require "sidekiq/testing"
require "digest"

Sidekiq::Testing.disable!

# `sidekiq/testing` as apps' own tests use it. The same on Sidekiq and on what Mawashi ships.
class TestingContract < Minitest::Test
  DONE = []

  # As it stands in the article "Sidekiq vs Resque, with MRI and JRuby" of 2012.
  class POR
    include Sidekiq::Worker

    @queue = :por

    def perform(arr)
      arr.each do |a|
        Digest::SHA2.new << a.to_s
      end
    end
  end

  class NoteJob
    include Sidekiq::Job
    sidekiq_options queue: "notes"

    def perform(*args)
      DONE << [jid, args]
    end
  end

  class ChainJob
    include Sidekiq::Job

    def perform(left)
      DONE << left
      ChainJob.perform_async(left - 1) if left.positive?
      NoteJob.perform_async if left.zero?
    end
  end

  def setup
    Sidekiq::Testing.fake!
    Sidekiq::Job.clear_all
    DONE.clear
  end

  def teardown
    Sidekiq::Testing.disable!
    Sidekiq::Testing.server_middleware.clear
  end

  def test_the_articles_jobs_can_be_seen
    5.times { Sidekiq::Client.enqueue(POR, [rand(123_098)] * 20) }

    assert_equal 5, POR.jobs.size
    assert_equal 20, POR.jobs.first["args"].first.size
    POR.drain
    assert_empty POR.jobs
  end

  def test_a_job_is_kept_with_the_fields_it_would_be_stored_with
    jid = NoteJob.perform_async(1, { "a" => nil })

    job = NoteJob.jobs.fetch(0)
    assert_equal %w[retry queue args class jid created_at enqueued_at], job.keys
    assert_equal [true, "notes", [1, { "a" => nil }], "TestingContract::NoteJob", jid],
                 job.values_at("retry", "queue", "args", "class", "jid")
    assert_equal [job], Sidekiq::Queues["notes"]
    assert_equal [job], Sidekiq::Job.jobs
    assert_equal [job], Sidekiq::Worker.jobs
  end

  def test_a_job_for_later_has_its_time_and_was_not_enqueued
    NoteJob.perform_in(600, 1)

    job = NoteJob.jobs.fetch(0)
    assert_in_delta Time.now.to_f + 600, job["at"], 60
    refute job.key?("enqueued_at")
  end

  def test_jobs_run_in_order_one_or_all
    jids = [NoteJob.perform_async(1), NoteJob.perform_async(2), NoteJob.perform_async(3)]

    NoteJob.perform_one
    assert_equal [[jids[0], [1]]], DONE
    assert_equal 2, Sidekiq::Queues["notes"].size
    NoteJob.drain
    assert_equal jids, DONE.map(&:first)
    assert_empty Sidekiq::Queues["notes"]
    assert_raises(Sidekiq::EmptyQueueError) { NoteJob.perform_one }
  end

  def test_draining_goes_on_until_no_job_has_enqueued_another
    ChainJob.perform_async(2)
    ChainJob.drain
    assert_equal [2, 1, 0], DONE
    assert_equal 1, NoteJob.jobs.size

    ChainJob.perform_async(1)
    Sidekiq::Job.drain_all
    assert_equal [2, 1, 0, 1, 0], DONE.grep(Integer)
    assert_equal 2, DONE.grep(Array).size
  end

  def test_clearing_forgets_one_class_or_all
    NoteJob.perform_async
    ChainJob.perform_async(1)

    NoteJob.clear
    assert_equal [0, 1], [NoteJob.jobs.size, ChainJob.jobs.size]
    Sidekiq::Job.clear_all
    assert_empty Sidekiq::Job.jobs
    assert_empty Sidekiq::Queues["default"]
  end

  def test_inline_runs_at_once_with_arguments_that_were_json
    Sidekiq::Testing.inline!
    NoteJob.perform_async(1, "k" => "v")

    assert_equal [1, { "k" => "v" }], DONE.fetch(0).last
    assert_empty Sidekiq::Job.jobs
  end

  def test_what_an_inline_job_raises_comes_out
    failing = Class.new { include Sidekiq::Job }
    failing.define_method(:perform) { raise IOError, "in vain" }
    self.class.const_set(:FailingJob, failing)

    error = assert_raises(IOError) { Sidekiq::Testing.inline! { failing.perform_async } }
    assert_equal "in vain", error.message
    assert Sidekiq::Testing.fake?
  ensure
    self.class.send(:remove_const, :FailingJob)
  end

  def test_modes_with_a_block_end_with_it
    Sidekiq::Testing.disable!
    assert Sidekiq::Testing.disabled?
    Sidekiq::Testing.fake! do
      assert Sidekiq::Testing.fake?
      assert Sidekiq::Testing.enabled?
      NoteJob.perform_async
    end
    Sidekiq::Testing.inline! { assert Sidekiq::Testing.inline? }
    refute Sidekiq::Testing.enabled?
    assert_equal 1, NoteJob.jobs.size
  end

  def test_jobs_pushed_by_name_and_in_bulk_are_kept_too
    Sidekiq::Client.push("class" => "TestingContract::NoteJob", "args" => [1], "queue" => "notes")
    jids = NoteJob.perform_bulk([[2], [3]])

    assert_equal [[1], [2], [3]], NoteJob.jobs.map { |job| job["args"] }
    assert_equal jids, NoteJob.jobs.last(2).map { |job| job["jid"] }
  end

  class Mark
    def initialize(word)
      @word = word
    end

    def call(job, payload, queue)
      DONE << [@word, job.class.name, payload["jid"], queue]
      yield
    end
  end

  def test_middleware_of_its_own_is_around_jobs_that_run_here
    Sidekiq::Testing.server_middleware { |chain| chain.add Mark, "mark" }
    jid = NoteJob.perform_async
    NoteJob.drain

    assert_equal [["mark", "TestingContract::NoteJob", jid, "notes"], [jid, []]], DONE
  end

  def test_a_job_can_be_run_from_any_payload
    NoteJob.process_job("jid" => "mine", "args" => [7], "queue" => "notes")

    assert_equal [["mine", [7]]], DONE
  end
end
