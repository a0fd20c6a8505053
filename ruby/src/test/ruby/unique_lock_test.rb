# frozen_string_literal: true

require "mawashi/unique"

# What makes two jobs the same, and who owns their lock.
class UniqueLockTest < Minitest::Test
  SCRIPT = File.expand_path("../../../../core/src/main/resources/dev/mawashi/tables/enqueue_unique.lua", __dir__)

  # Leaves an argument out.
  class NarrowJob
    def self.sidekiq_unique_context(job)
      [job["class"], job["args"].first]
    end
  end

  def job(more = {})
    { "class" => "SyncJob", "args" => [1, { "a" => nil }], "queue" => "q", "jid" => "7a", "unique_for" => 60 }.merge(more)
  end

  def digest(more = {})
    Mawashi::UniqueLock.of(job(more)).digest
  end

  def test_class_queue_and_arguments_make_it_the_same
    assert_equal digest, digest("jid" => "7b", "created_at" => 5, "unique_for" => 5)
    others = [{ "class" => "OtherJob" }, { "queue" => "r" }, { "args" => [2] }, { "args" => ["1"] }]
    assert_equal 5, [{}, *others].map { |more| digest(more) }.uniq.size
    assert_match(/\A[\w-]{14}\z/, digest)
    assert_equal digest("class" => NarrowJob.name, "args" => [1, 2]), digest("class" => NarrowJob.name, "args" => [1, 3])
  end

  def active_job(arguments, more = {})
    job("class" => "Wrapper", "wrapped" => "MailJob", "args" => [{ "job_id" => rand, "arguments" => arguments }.merge(more)])
  end

  def test_of_active_job_the_apps_class_and_arguments_do
    digests = [[1], [1], [2]].map { |arguments| Mawashi::UniqueLock.of(active_job(arguments)).digest }
    assert_equal digests[0], digests[1]
    refute_equal digests[0], digests[2]
    refute_equal digests[0], digest("class" => "MailJob", "args" => [2])
  end

  def test_its_retry_takes_the_lock_over_from_the_job_that_runs
    lock = Mawashi::UniqueLock.of(active_job([1], "provider_job_id" => "7z"))
    assert_equal [lock.digest, "7a", "MailJob", "7z", "60000", ""], lock.words
  end

  def test_the_payload_says_what_the_server_needs
    first = job
    lock = Mawashi::UniqueLock.of(first)
    assert_equal [lock.digest, "7a", "SyncJob", "", "60000", ""], lock.words
    assert_equal lock.digest, first["mw_lock"]
    refute first.key?("mw_start")
    begun = job("unique_until" => :start, "unique_for" => 1.5)
    assert_equal "1500", Mawashi::UniqueLock.of(begun).words[4]
    assert_equal true, begun["mw_start"]
  end

  def test_what_was_stored_before_gets_a_number
    stored = job
    digest = Mawashi::UniqueLock.of(stored).digest
    2.times do |time|
      again = Mawashi::UniqueLock.of(stored.merge!("args" => ["changed"]))
      assert_equal [digest, "7a~#{time + 1}", "SyncJob", "7a", "60000", "1"], again.words
      assert_equal [digest, "#{digest}~#{time + 1}"], [again.digest, stored["mw_lock"]]
    end
  end

  def test_a_job_for_later_holds_it_from_when_it_is_due
    later = Mawashi::UniqueLock.of(job("at" => Time.now.to_f + 100)).words[4].to_i
    assert_includes 150_000..160_000, later
    assert_equal 60_000, Mawashi::UniqueLock.of(job("at" => 5.0)).words[4].to_i
    assert_operator Mawashi::UniqueLock.of(job("at" => Float::INFINITY)).words[4].to_i, :<, 1e12
  end

  def test_a_text_that_json_made_of_a_duration_is_a_number
    assert_equal "600000", Mawashi::UniqueLock.of(job("unique_for" => "600")).words[4]
    assert_equal "1500", Mawashi::UniqueLock.of(job("unique_for" => "1.5")).words[4]
    ["", "0", "-1", "ten", "1e3", "6\n"].each do |text|
      error = assert_raises(ArgumentError) { Mawashi::UniqueLock.of(job("unique_for" => text)) }
      assert_match(/SyncJob, unique_for: .* is no time/, error.message)
    end
  end

  def test_without_the_option_there_is_none
    [nil, false].each { |none| assert_nil Mawashi::UniqueLock.of(job("unique_for" => none)) }
  end

  def test_the_gem_has_the_servers_script
    assert_equal File.read(SCRIPT), Mawashi::UniqueScript::TEXT
  end
end
