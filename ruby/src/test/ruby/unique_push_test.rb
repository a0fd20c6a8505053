# frozen_string_literal: true

require "mawashi/unique"

# Jobs with locks as they go through the server: in parts that it takes.
class UniquePushTest < Minitest::Test
  def setup
    @calls = []
    @doors = %i[@enqueue @iteration].map { |name| Mawashi::Native.instance_variable_get(name) }
    Mawashi::Native.connect(->(_) {}, ->(words) { (@calls << words) && ["1"] * jobs(words) })
  end

  def teardown
    Mawashi::Native.connect(*@doors)
  end

  def push(*sizes, queue: "q", at: nil)
    entries = sizes.each_with_index.map do |size, i|
      job = { "class" => "A", "args" => [i], "queue" => queue, "jid" => "7#{i}", "unique_for" => 60 }
      Mawashi::UniquePush::Entry.new(Mawashi::UniqueLock.of(job), queue, "x" * size, at)
    end
    Mawashi::UniquePush.new(entries).through_server
  end

  # Behind verb and queue each job has eight words.
  def jobs(words)
    (words.size - 2) / 8
  end

  def parts
    @calls.map { |words| jobs(words) }
  end

  def test_many_jobs_and_many_bytes_go_in_parts
    assert_empty push(*[9] * 250)
    assert_equal [100, 100, 50], parts
    @calls.clear
    push(600_000, 400_000, 100_000, 3 << 20, 5, 5)
    assert_equal [2, 1, 1, 2], parts
    assert_equal %w[q q q q], @calls.map { |words| words[1] }
  end

  def test_while_the_load_of_an_app_is_tried_there_are_no_locks
    jobs = [{ "class" => "A", "args" => [], "unique_for" => 60 }]
    refute Mawashi::Unique.none?(jobs)
    Mawashi.const_set(:HeldBackJobs, Module.new)
    assert Mawashi::Unique.none?(jobs)
  ensure
    Mawashi.send(:remove_const, :HeldBackJobs)
  end

  # Of a job that came in the server writes 1, else a space and the owner.
  def test_the_owner_of_a_lock_may_be_any_text
    ["a b", "", " ", "1", "a\nb", "日本"].each do |owner|
      Mawashi::Native.connect(->(_) {}, ->(_) { ["1", " #{owner}"] })
      assert_equal [owner], push(5, 5).values
    end
    Mawashi::Native.connect(->(_) {}, ->(_) { %w[1 7a] })
    assert_equal ["7a"], push(5, 5).values
  end

  def test_one_that_is_too_large_is_refused_before_any_is_stored
    error = assert_raises(Mawashi::Error) { push(5, (16 << 20) + 1, queue: "large", at: 5.0) }
    assert_equal "payload for queue \"large\" is 16777217 bytes, limit is 16777216: " \
                 "store the data elsewhere and pass its id", error.message
    assert_empty @calls
  end
end
