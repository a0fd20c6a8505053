# frozen_string_literal: true

require "mawashi/children/fork_slot"

# What a forker says to a fork that does not listen.
class ForkSlotTest < Minitest::Test
  # More than a socket holds.
  LARGE = "x" * (4 << 20)

  def setup
    @slot = Mawashi::Children::ForkSlot.new(0)
    @slot.open(1)
  end

  def test_a_fork_that_does_not_read_holds_the_forker_up_in_nothing
    answer = Thread.new { [["D", LARGE], %w[A next]].each { |words| @slot.answer(*words) } }
    assert answer.join(20), "it waits"
    assert @slot.unheard?
    refute @slot.quiet?

    heard = Thread.new { [@slot.link.read, @slot.link.read] }
    @slot.say while @slot.unheard? && IO.select(nil, [@slot], nil, 20)
    assert_equal [["D", LARGE], %w[A next]], heard.value
    assert @slot.quiet?
  end

  def test_what_one_fork_has_not_read_the_next_does_not_get
    answer = Thread.new { @slot.answer("D", LARGE) }
    assert answer.join(20), "it waits"
    @slot.renew

    refute @slot.unheard?
    @slot.answer("A", "next")
    assert_equal %w[A next], @slot.link.read
  end
end
