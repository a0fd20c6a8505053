# frozen_string_literal: true

require "mawashi/run_context"
require "mawashi/sidekiq_gem"

# What long jobs of other gems ask in the place of Sidekiq's launcher.
class LauncherTest < Minitest::Test
  App = Struct.new(:launcher)

  def test_it_says_that_the_server_stops
    launcher = Mawashi::Launcher.new
    refute_predicate launcher, :stopping?
    Mawashi::RunContext.new(App.new(launcher)).stop
    assert_predicate launcher, :stopping?
  end

  def test_blocks_for_quiet_find_it_stopping
    sidekiq = Mawashi::SidekiqGem.new("")
    seen = []
    Sidekiq.default_configuration.on(:quiet) { seen << sidekiq.launcher.stopping? }
    sidekiq.fire(:quiet)
    assert_equal [true], seen
  end

  def test_a_fork_knows_by_its_own_context
    launcher = Mawashi::Launcher.new
    context = launcher.context = Mawashi::RunContext.new
    context.stop
    assert_predicate launcher, :stopping?
  end
end
