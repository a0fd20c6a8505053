# frozen_string_literal: true

require "mawashi/sidekiq_gem"

# The pools of an app with capsules, which only Sidekiq 7 and later have. What stands in for the gem makes a pool
# as it does: when it is first asked for, as large as the capsule is then.
class GemConnectionsTest < Minitest::Test
  Capsule = Struct.new(:name, :queues, :concurrency) do
    def redis_pool
      @redis_pool ||= [name, concurrency]
    end
  end

  Config = Struct.new(:capsules) do
    def default_capsule
      capsules.fetch("default")
    end

    def redis_pool
      Thread.current[:sidekiq_capsule]&.redis_pool || ["internal", 10]
    end
  end

  class Gem < Mawashi::SidekiqGem
    attr_accessor :config

    def lifecycle_events
      @lifecycle_events ||= {}
    end

    private

    # There is no command of Sidekiq's here.
    def show_start; end

    def config?
      true
    end
  end

  def setup
    @gem = Gem.new("8.1.7")
    pools = [Capsule.new("default", %w[default both], 1), Capsule.new("wide", %w[wide both], 20)]
    @gem.config = Config.new(pools.to_h { |capsule| [capsule.name, capsule] })
  end

  def teardown
    Thread.current[:sidekiq_capsule] = nil
  end

  def test_each_job_finds_its_capsule
    assert @gem.capsules?
    @gem.enter_slot
    seen = %w[wide default both retried wide].map do |queue|
      @gem.enter_capsule(queue)
      @gem.config.redis_pool.first
    end
    assert_equal %w[wide default default default wide], seen
  end

  def test_capsules_may_name_their_queues_by_symbols
    @gem.config.capsules["wide"].queues = %i[wide]
    @gem.enter_capsule("wide")
    assert_equal "wide", @gem.config.redis_pool.first
  end

  def test_pools_are_made_once_with_room_for_any_number_of_slots
    pools = @gem.make_pools
    assert_equal [["default", 1_000], ["wide", 1_000], ["internal", 10]], pools
    assert_equal [1, 20], @gem.config.capsules.values.map(&:concurrency)
    assert_same pools[1], @gem.config.capsules["wide"].redis_pool
  end

  def test_a_capsule_that_a_block_for_the_start_makes_gets_such_a_pool_too
    @gem.make_pools
    late = Capsule.new("late", %w[late], 3)
    @gem.lifecycle_events[:startup] = [-> { @gem.config.capsules["late"] = late }]
    @gem.fire(:startup)
    assert_equal [["late", 1_000], 3], [late.redis_pool, late.concurrency]
    @gem.enter_capsule("late")
    assert_same late.redis_pool, @gem.config.redis_pool
  end

  def test_an_app_with_one_capsule_pays_nothing
    @gem.config.capsules.delete("wide")
    refute @gem.capsules?
  end
end
