# frozen_string_literal: true

# The state of iterable jobs in a real Redis, by the app's own Redis library. REDIS_URL names it.
class IterationStateTest < Minitest::Test
  def setup
    @state = Mawashi::IterationState.new("of-a-job")
    @state.forget
  end

  def redis(*words)
    Sidekiq.redis { |connection| connection.call(*words) }
  end

  def test_it_is_kept_for_thirty_days_from_its_first_note_on
    assert_nil @state.write("ex" => 1, "c" => "null", "rt" => 0)
    assert_equal %w[1 null 0], redis("HMGET", "it-of-a-job", "ex", "c", "rt")
    assert_includes (30 * 86_400 - 5)..(30 * 86_400), redis("TTL", "it-of-a-job")
    redis("EXPIRE", "it-of-a-job", 100)
    @state.write("ex" => 2)
    assert_includes 90..100, redis("TTL", "it-of-a-job")
  end

  def test_the_first_cancellation_counts
    first = @state.cancel
    @state.write("cancelled" => 7)
    assert_equal first.to_s, @state.write("ex" => 1)
    @state.forget
    assert_equal 0, redis("EXISTS", "it-of-a-job")
  end
end
