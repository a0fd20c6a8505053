# frozen_string_literal: true

require "mawashi/redis_driver"
require "mawashi/cluster/url"
require_relative "../cluster_nodes"

# A connection to a real Redis Cluster of which the node with the slot dies.
class ClusterFailoverTest < Minitest::Test
  def setup
    @nodes = ClusterNodes.new(spare: true)
    url = @nodes.url
    @owner = @nodes.owner(@slot = Mawashi::Cluster::Url.new(url).slot)
    @redis = Mawashi::RedisDriver.open(url: url)
  end

  def teardown
    @nodes.stop
  end

  def test_it_goes_on_with_the_replica_that_was_promoted
    spare = @nodes.nodes.last
    spare.call("CLUSTER", "REPLICATE", @owner.id)
    @nodes.wait("the replica") { spare.call("INFO", "replication").include?("master_link_status:up") }
    @redis.call("SET", "a", "1")
    @redis.call("WAIT", 1, 5000)
    @owner.kill
    @nodes.wait("another owner") { @nodes.owner(@slot) == spare && spare.call("CLUSTER", "INFO").include?("cluster_state:ok") }

    assert_equal "1", @redis.call("GET", "a")
    # The former one comes back as a replica, and points at the new one.
    @owner.start
    @nodes.wait("the former owner") { @owner.ready? }
    @nodes.agree
    assert_equal "OK", @redis.call("SET", "a", "2")
    assert_equal ["2"], @redis.pipelined { |all| all.call("GET", "a") }
  end
end
