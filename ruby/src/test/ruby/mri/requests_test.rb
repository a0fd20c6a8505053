# frozen_string_literal: true

require "mawashi/children/link"
require "mawashi/children/requests"

# What the threads of a child ask of the server, over a real pair of sockets; the test is the server.
class RequestsTest < Minitest::Test
  def setup
    ours, theirs = UNIXSocket.pair
    @requests = Mawashi::Children::Requests.new(Mawashi::Children::Link.new(ours))
    @server = Mawashi::Children::Link.new(theirs)
    @reader = Thread.new do
      link = Mawashi::Children::Link.new(ours)
      while (kind, body = link.read)
        @requests.answer(kind, body)
      end
    end
    @threads = []
  end

  def teardown
    (@threads << @reader).each(&:kill)
  end

  # @return [Thread] whose value is the error, or nil
  def enqueue(payload)
    @threads << Thread.new do
      @requests.enqueue([["default", payload, nil]])
    rescue Mawashi::Error => e
      e.message
    end
    asks = @threads.last
    Thread.pass until asks.stop?
    asks
  end

  def value(thread)
    assert thread.join(10), "no answer"
    thread.value
  end

  # @return [Array<Array(Integer, String)>] ids and entries of the next frame
  def asked
    assert @server.wait(10), "nothing is asked"
    kind, body = @server.read
    assert_equal "Q", kind
    requests = []
    until body.empty?
      id, bytes = body.unpack("Q>N")
      requests << [id, body.byteslice(12, bytes)]
      body = body.byteslice(12 + bytes, body.bytesize)
    end
    requests
  end

  def answer(requests, texts)
    told = requests.zip(texts).map { |request, text| [request.first, text.bytesize].pack("Q>N") << text }
    @server.write("A", told.join)
  end

  def test_what_is_enqueued_meanwhile_goes_together_and_each_hears_its_own_answer
    first = enqueue("first")
    alone = asked
    others = %w[a b c].map { |payload| enqueue(payload) }

    refute @server.wait(0)
    answer(alone, [""])
    together = asked
    assert_equal(%w[a b c], together.map { |_, entries| entries[-1] })
    answer(together, ["", "no Redis", ""])

    assert_equal [nil, nil, "no Redis", nil], [first, *others].map { |thread| value(thread) }
    last = enqueue("last")
    answer(asked, [""])
    assert_nil value(last)
  end

  def test_a_frame_takes_no_more_than_a_megabyte_of_several_requests
    large = "x" * (Mawashi::Children::Requests::FRAME_BYTES - 60)
    enqueue("first")
    alone = asked
    %W[small #{large} #{large * 2}].each { |payload| enqueue(payload) }

    answer(alone, [""])
    sizes = Array.new(3) do
      frame = asked
      answer(frame, [""] * frame.size)
      frame.size
    end

    assert_equal [1, 1, 1], sizes
  end

  def test_a_thread_that_is_cut_as_it_waits_takes_no_other_with_it
    cut = enqueue("cut")
    alone = asked
    waits = enqueue("waits")
    cut.raise(Mawashi::Error, "cut")
    assert_equal "cut", value(cut)
    answer(alone, [""])
    answer(asked, [""])

    assert_nil value(waits)
  end

  def test_a_thread_that_is_cut_as_it_sends_sends_the_whole_frame
    cut = enqueue("x" * 900_000)
    waits = enqueue("waits")
    cut.raise(Mawashi::Error, "cut")
    answer(asked, [""])
    assert_equal "cut", value(cut)
    answer(asked, [""])

    assert_nil value(waits)
  end

  def test_what_is_asked_else_does_not_wait_for_what_is_enqueued
    enqueue("slow")
    asked
    state = Thread.new { @requests.iteration(%w[read jid]) }
    kind, body = @server.read
    assert_equal "K", kind
    @server.write("D", body.byteslice(0, 8) << [2].pack("N") << "ex")
    assert_equal ["ex"], value(state)

    refused = Thread.new { @requests.iteration(%w[read jid]) }
    refused.report_on_exception = false
    _, body = @server.read
    @server.write("N", body.byteslice(0, 8) << "no Redis")
    assert_equal("no Redis", assert_raises(Mawashi::Error) { refused.value }.message)
  end
end
