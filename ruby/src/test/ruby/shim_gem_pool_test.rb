# frozen_string_literal: true

require "mawashi/sidekiq_gem"

# What is made of a Sidekiq 7 or newer, whose settings look like those of the shipped API, after the app is loaded.
class ShimGemPoolTest < Minitest::Test
  def setup
    @made = made = []
    Sidekiq.default_configuration.default_capsule.define_singleton_method(:redis_pool) { made << Thread.current }
  end

  def teardown
    Sidekiq.default_configuration.default_capsule.singleton_class.remove_method(:redis_pool)
  end

  def test_the_slots_pool_is_made_before_there_are_threads
    Mawashi::SidekiqGem.new("7.3.2").after_app
    assert_equal [Thread.current], @made
  end

  def test_the_shipped_api_needs_none
    Mawashi::SidekiqGem.new("").after_app
    assert_empty @made
  end
end
