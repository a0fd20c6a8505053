# frozen_string_literal: true

require "mawashi/children/fork_socket"

# What a forker says to a fork that does not listen.
class ForkSocketTest < Minitest::Test
  # More than a socket holds.
  LARGE = "x" * (4 << 20)

  def setup
    @socket = Mawashi::Children::ForkSocket.new
  end

  def test_a_fork_that_does_not_read_holds_the_forker_up_in_nothing
    answer = Thread.new { [["D", LARGE], %w[A next]].each { |words| @socket.answer(*words) } }
    assert answer.join(20), "it waits"
    assert @socket.unheard?
    refute @socket.quiet?

    heard = Thread.new { [@socket.link.read, @socket.link.read] }
    @socket.say while @socket.unheard? && IO.select(nil, [@socket], nil, 20)
    assert_equal [["D", LARGE], %w[A next]], heard.value
    assert @socket.quiet?
  end

  def test_what_one_fork_has_not_read_the_next_does_not_get
    answer = Thread.new { @socket.answer("D", LARGE) }
    assert answer.join(20), "it waits"
    @socket.renew

    refute @socket.unheard?
    @socket.answer("A", "next")
    assert_equal %w[A next], @socket.link.read
  end
end
