# frozen_string_literal: true

require "mawashi/children/fork_places"
require "mawashi/children/fork_requests"

# What a forker says to a fork that does not listen, and what the next one at its place hears of it.
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

  def test_an_answer_that_a_job_did_not_await_is_not_taken_for_one_to_the_next_job
    places = Mawashi::Children::ForkPlaces.new(1)
    slot = places.free
    slot.open(7)
    places.take(slot)
    slot.socket.answer("D", "#{[1].pack("Q>")}of the first")
    slot.link.write("W", [7].pack("Q>"))
    slot.hear
    assert slot.well
    places.leave(slot)

    slot.open(8)
    requests = Mawashi::Children::ForkRequests.new(slot.link)
    slot.socket.answer("D", [1, 4].pack("Q>N") << "next")
    assert_equal ["next"], requests.iteration(["read"])
  end
end
