# frozen_string_literal: true

require "mawashi/cluster/moved"
require "mawashi/cluster/owner"

# Which node of a Cluster has the slot, with nodes that are asked in vain or answer.
class ClusterOwnerTest < Minitest::Test
  class Failed < StandardError; end

  OK = "cluster_enabled:1\r\ncluster_state:ok\r\n"
  SLOTS = [[0, 3807, ["c", 3]], [3808, 3808, ["b", 2, "id", []], ["d", 4, "id", []]], [3809, 16_383, ["c", 3]]].freeze

  def setup
    @owner = Mawashi::Cluster::Owner.new(Mawashi::Cluster::Url.new("redis+cluster://:secret@a:1,b:2/shop"))
    @asked = []
  end

  # @param answers [Hash{String=>Array}] by host; others do not answer
  def find(answers)
    @owner.find(Failed) do |host, _port|
      @asked << host
      answers.fetch(host, [nil, "it does not answer"])
    end
  end

  def test_the_first_that_is_well_says_it
    assert_equal ["b", 2], find("a" => ["cluster_state:fail\r\n", SLOTS], "b" => [OK, SLOTS])
    assert_equal %w[a b], @asked
    assert_equal ["b", 2], @owner.address(Failed) { flunk }
  end

  def test_who_answered_last_is_asked_first_then_all_that_are_known
    find("b" => [OK, SLOTS])
    @asked.clear
    find("d" => [OK, SLOTS])
    assert_equal %w[b a c d], @asked
  end

  def test_a_node_without_a_name_is_where_it_was_asked
    [nil, "", "?"].each { |name| assert_equal ["a", 7], find("a" => [OK, [[0, 16_383, [name, 7]]]]) }
  end

  def test_a_node_goes_by_its_name_over_tls_alone
    [["hostname", "n.example"], { "hostname" => "n.example" }].each do |more|
      slots = [[0, 16_383, ["10.0.0.5", 7, "id", more]]]
      assert_equal ["10.0.0.5", 7], find("a" => [OK, slots])
      @owner = Mawashi::Cluster::Owner.new(Mawashi::Cluster::Url.new("rediss+cluster://a:1/shop"))
      assert_equal ["n.example", 7], find("a" => [OK, slots])
      setup
    end
    @owner = Mawashi::Cluster::Owner.new(Mawashi::Cluster::Url.new("rediss+cluster://a:1/shop"))
    [["10.0.0.5", 7], ["10.0.0.5", 7, "id", []]].each do |node|
      assert_equal ["10.0.0.5", 7], find("a" => [OK, [[0, 16_383, node]]])
    end
  end

  def test_nobody_can_be_asked
    error = assert_raises(Failed) { find("a" => ["cluster_state:fail\r\n", []]) }
    assert_equal "no node of the Redis Cluster can be used (a:1: its cluster_state is fail, must be ok; b:2: it does not answer)",
                 error.message
  end

  def test_nobody_has_the_slot
    error = assert_raises(Failed) { find("a" => [OK, SLOTS.values_at(0, 2)]) }
    assert_equal "no node of the Redis Cluster has slot 3808, that of {shop}", error.message
  end

  def test_who_cannot_be_reached_is_forgotten_and_nobody_else
    find("a" => [OK, SLOTS])
    @owner.forget(["a", 1])
    assert_equal ["b", 2], @owner.address(Failed) { flunk }
    @owner.forget(["b", 2])
    assert_equal ["e", 5], @owner.address(Failed) { [OK, [[0, 16_383, ["e", 5]]]] }
  end
end
