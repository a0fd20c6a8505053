# frozen_string_literal: true

require "mawashi/children/fork_requests"
require "mawashi/children/link"

# What a forked job asks, over a real pair of sockets; the test is the forker.
class ForkRequestsTest < Minitest::Test
  def setup
    ours, @theirs = UNIXSocket.pair
    @requests = Mawashi::Children::ForkRequests.new(Mawashi::Children::Link.new(ours))
    @forker = Mawashi::Children::Link.new(@theirs)
    @ours = ours
  end

  # @return [Thread] whose value is what it was told, or its error's message
  def asks
    Thread.new do
      @requests.iteration(["read"])
    rescue Mawashi::Error => e
      e.message
    end
  end

  def value(thread)
    assert thread.join(20), "no answer"
    thread.value
  end

  def asked
    assert @forker.wait(20), "nothing is asked"
    @forker.read.last.unpack1("Q>")
  end

  def answer(id, text)
    Mawashi::Children::Link.frame("D", [id, text.bytesize].pack("Q>N") << text)
  end

  def test_a_job_that_is_cut_as_it_hears_an_answer_hears_the_next_one_whole
    cut = asks
    frame = answer(asked, "x" * 100)
    @theirs.write(frame.byteslice(0, 60))
    Thread.pass while IO.select([@ours], nil, nil, 0)
    Thread.pass until cut.stop?
    cut.raise(Mawashi::Error, "cut")
    Thread.pass until cut.pending_interrupt? || !cut.alive?
    @theirs.write(frame.byteslice(60, frame.bytesize))
    assert_equal "cut", value(cut)

    next_one = asks
    @theirs.write(answer(asked, "next"))
    assert_equal ["next"], value(next_one)
  end

  def test_a_job_that_is_cut_as_it_asks_sends_the_whole_request
    cut = Thread.new { @requests.iteration(["x" * (4 << 20)]) }
    cut.report_on_exception = false
    assert @forker.wait(20), "nothing is asked"
    Thread.pass until cut.stop?
    cut.raise(Mawashi::Error, "cut")
    Thread.pass until cut.pending_interrupt? || !cut.alive?
    id = asked
    assert_raises(Mawashi::Error) { value(cut) }

    next_one = asks
    assert_equal id + 1, asked
    @theirs.write(answer(id + 1, "next"))
    assert_equal ["next"], value(next_one)
  end
end
