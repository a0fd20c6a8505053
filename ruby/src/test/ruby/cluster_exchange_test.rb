# frozen_string_literal: true

require "mawashi/cluster/exchange"
require "mawashi/cluster/owner"
require "minitest/mock"

# What a connection to a Cluster sends, and sends again, with a node that answers by a list.
class ClusterExchangeTest < Minitest::Test
  class Refused < StandardError; end
  class Elsewhere < StandardError; end

  # Does not wait, and counts.
  class Quick < Mawashi::Cluster::Exchange
    attr_reader :pauses

    def sleep(*)
      @pauses = @pauses.to_i + 1
    end
  end

  def setup
    @owner = Mawashi::Cluster::Owner.new(Mawashi::Cluster::Url.new("redis+cluster://a:1/s"))
    @exchange = Quick.new(@owner, Refused, Elsewhere)
    @written = []
  end

  def write(commands)
    @written.concat(commands.map { |words| @exchange.outgoing(words) })
  end

  # @return [Array] replies
  def exchange(commands, *replies, limit_s: 60)
    write(commands)
    answers = commands.map { @exchange.reply(limit_s, method(:write)) { replies.shift } }
    assert_empty replies
    answers
  end

  def error(text)
    StandardError.new(text)
  end

  def test_keys_have_the_tag_outside_and_none_inside
    assert_equal [["0", %w[a b]]], exchange([["SCAN", 0]], ["0", %w[{s}:a {s}:b]])
    assert_equal [%w[a]], exchange([%w[keys a*]], %w[{s}:a])
    assert_equal [["q", "x"], nil], exchange([["brpop", "q", "r", 2], ["BLPOP", ["q"], 2]], %w[{s}:q x], nil)
    assert_equal [["z", [%w[m 1]]]], exchange([%w[ZMPOP 1 z MIN]], ["{s}:z", [%w[m 1]]])
    assert_equal [{ "x" => 1 }, [["x", 1]]],
                 exchange([%w[XREAD STREAMS x 0], %w[XREAD STREAMS x 0]], { "{s}:x" => 1 }, [["{s}:x", 1]])
    assert_equal [["SCAN", 0, "MATCH", "{s}:*"], %w[keys {s}:a*], ["brpop", "{s}:q", "{s}:r", 2], ["BLPOP", "{s}:q", 2],
                  %w[ZMPOP 1 {s}:z MIN], %w[XREAD STREAMS {s}:x 0], %w[XREAD STREAMS {s}:x 0]], @written
  end

  def test_a_pattern_has_the_tag_once
    exchange([%w[SCAN 5 COUNT 10 match q*], %w[SORT k BY w_* LIMIT 0 9 GET # GET v_* STORE r]], [0, []], 3)
    assert_equal [%w[SCAN 5 COUNT 10 match {s}:q*], %w[SORT {s}:k BY {s}:w_* LIMIT 0 9 GET # GET {s}:v_* STORE {s}:r]], @written
  end

  def test_bytes_of_any_kind_are_a_key
    key = (+"\xFF\xE9").force_encoding("BINARY")
    owner = Mawashi::Cluster::Owner.new(Mawashi::Cluster::Url.new("redis+cluster://a:1/%C3%BC"))
    words = Quick.new(owner, Refused, Elsewhere).outgoing(["GET", key])
    assert_equal "{\u00FC}:".b + key, words.last.b
  end

  def test_replies_of_a_transaction_have_no_tag_either
    scan = ["0", %w[{s}:a]]
    batch = [%w[MULTI], ["SCAN", 0], %w[GET k], %w[EXEC]]
    assert_equal ["OK", "QUEUED", "QUEUED", [["0", %w[a]], "{s}:v"]], exchange(batch, "OK", "QUEUED", "QUEUED", [scan, "{s}:v"])
    answers = batch.zip(["OK", "QUEUED", "QUEUED", [scan, "x"]]).map { |words, reply| exchange([words], reply).first }
    assert_equal [["0", %w[a]], "x"], answers.last
    assert_equal [["0", %w[b]]], exchange([["SCAN", 0]], ["0", %w[{s}:b]])
  end

  def test_what_would_meet_keys_of_others_is_not_sent
    [%w[FLUSHDB], %w[flushall ASYNC], %w[RANDOMKEY], ["select", 1], %w[SPUBLISH c m], %w[SWAPDB 0 0]].each do |words|
      assert_raises(Refused, words.first) { @exchange.outgoing(words) }
    end
    assert_equal ["OK"], exchange([[:select, 0]], "OK")
  end

  def test_a_command_waits_while_the_slot_moves
    ask = error("ASK 7 a:2")
    assert_equal ["1"], exchange([%w[GET k]], ask, error("TRYAGAIN Multiple keys"), ask, "1")
    assert_equal [%w[GET {s}:k]] * 4, @written
    assert_equal 3, @exchange.pauses
    refute @exchange.stale?
  end

  def test_commands_that_block_wait_together
    ask = error("ASK 7 a:2")
    assert_equal [nil, %w[r 1]], exchange([%w[BRPOP q 1], %w[BRPOP r 1]], ask, ask, nil, %w[{s}:r 1])
  end

  def test_it_waits_no_longer_than_the_limit
    ask = error("ASK 7 a:2")
    assert_equal [ask], exchange([%w[GET k]], ask, limit_s: 0)
    assert @exchange.stale?
    assert_equal 1, @written.size
  end

  def test_a_slot_that_has_moved_is_looked_for_where_it_is
    [["MOVED 7 b:2", ["b", 2]], ["MOVED 7 :3", ["b", 3]]].each do |text, place|
      assert_raises(Elsewhere) { exchange([%w[GET k], %w[GET l]], error(text), error(text)) }
      @exchange.clear
      assert_equal place, @owner.address(Refused) { flunk }
    end
  end

  def test_while_the_cluster_is_down_a_command_waits_and_the_next_connection_looks_for_the_owner
    down = error("CLUSTERDOWN The cluster is down")
    assert_raises(Elsewhere) { exchange([%w[GET k]], error("MOVED 7 b:2")) }
    @exchange.clear
    assert_equal ["1"], exchange([%w[GET k]], down, down, "1")
    @owner.stub(:find, "looked up") { assert_equal "looked up", @owner.address(Refused) }
    assert_equal [down], exchange([%w[GET k]], down, limit_s: 0)
  end

  def test_a_pipeline_of_which_a_part_was_done_is_not_sent_again
    moved = error("MOVED 7 b:2")
    assert_equal [1, moved], exchange([%w[LPUSH q 1], %w[LPUSH r 1]], 1, moved)
    assert @exchange.stale?
    @exchange.clear
    assert_equal [moved, 1], exchange([%w[LPUSH q 1], %w[LPUSH r 1]], moved, 1)
    @exchange.clear
    assert_equal [1, moved], exchange([%w[LPUSH q 1], %w[BRPOP r 1]], 1, moved)
  end

  def test_what_harms_nobody_is_done_twice
    assert_raises(Elsewhere) { exchange([%w[SADD queues q], %w[LPUSH queue:q 1]], 0, error("MOVED 7 b:2")) }
    @exchange.clear
    ask = error("ASK 7 b:2")
    assert_equal [0, 1], exchange([%w[SADD queues q], %w[LPUSH queue:q 1]], 0, ask, 0, 1)
  end

  def test_a_transaction_is_sent_again_as_a_whole
    batch = [%w[MULTI], %w[SET k 1], %w[SET l 1], %w[EXEC]]
    ask = error("ASK 7 b:2")
    aborted = error("EXECABORT Transaction discarded")
    replies = ["OK", "QUEUED", "QUEUED", %w[OK OK]]
    assert_equal replies, exchange(batch, "OK", "QUEUED", ask, aborted, "OK", "QUEUED", "QUEUED", ask, *replies)
  end

  def test_in_a_transaction_that_was_begun_before_nothing_is_sent_again
    moved = error("MOVED 7 b:2")
    assert_equal ["OK"], exchange([%w[MULTI]], "OK")
    assert_equal [moved], exchange([%w[SET k 1]], moved)
    @exchange.clear
    assert_equal ["OK"], exchange([%w[WATCH k]], "OK")
    assert_equal [moved], exchange([%w[GET k]], moved)
    @exchange.clear
    assert_equal ["OK", "OK"], exchange([%w[WATCH k], %w[UNWATCH]], "OK", "OK")
    assert_raises(Elsewhere) { exchange([%w[GET k]], moved) }
  end

  def test_messages_of_a_subscription_pass
    @exchange.outgoing(%w[SUBSCRIBE c])
    assert_equal [%w[subscribe c], %w[message c]], Array.new(2) { |i| @exchange.reply(1, nil) { [%w[subscribe c], %w[message c]][i] } }
  end
end
