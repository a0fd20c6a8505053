# frozen_string_literal: true

require "mawashi/failure"
require "mawashi/reliances"
require "mawashi/sidekiq_gem"
require "stringio"

# What an app relies on is found by what it has loaded, and said.
class ReliancesTest < Minitest::Test
  GUIDE = File.expand_path("../../../../docs/guide/differences.md", __dir__)

  def setup
    @defined = []
    @logged = []
  end

  def teardown
    @defined.reverse_each { |scope, name| scope.send(:remove_const, name) }
  end

  # Defines a constant as a gem does when it is loaded.
  def load_gem(path)
    path.split("::").inject(Object) do |scope, name|
      next scope.const_get(name, false) if scope.const_defined?(name, false)

      @defined << [scope, name]
      scope.const_set(name, Module.new)
    end
  end

  def check(*accepted)
    config = Sidekiq.default_configuration
    before = config.logger
    log = StringIO.new
    config.logger = Logger.new(log)
    Mawashi::Reliances.new(accepted).check
  ensure
    config.logger = before
    @logged = log.string.lines
  end

  def refusal(*accepted)
    assert_raises(Mawashi::Error) { check(*accepted) }.message
  end

  def test_an_app_that_relies_on_nothing_starts_without_a_word
    check
    assert_empty @logged
  end

  def test_what_would_silently_not_happen_stops_the_start_until_it_is_accepted
    stopping = Mawashi::KnownReliances::GEMS.select { |gem| gem.works == :no }
    stopping.each do |gem|
      load_gem(gem.constant)
      assert_match(/\Athe app has #{gem.name}, and .*`--accept #{gem.name}` starts all the same\.\z/, refusal, gem.name)
      check(gem.name)
      teardown
      @defined.clear
    end
    assert_operator stopping.size, :>=, 4
  end

  def test_all_that_is_missing_is_said_at_once
    ["Sidekiq::Throttled", "Sidekiq::LimitFetch"].each { |constant| load_gem(constant) }
    assert_match(/the app has sidekiq-throttled.* the app has sidekiq-limit_fetch/, refusal)
    refute_match(/throttled/, refusal("sidekiq-throttled"))
  end

  def test_what_works_in_part_is_a_warning_and_what_works_is_none
    ["Sidekiq::BaseReliableFetch", "SidekiqScheduler", "Sidekiq::Cron"].each { |constant| load_gem(constant) }
    check
    assert_equal 1, @logged.size
    assert_match(/WARN -- : gitlab-sidekiq-fetcher: its fetch does not run/, @logged.first)
  end

  def test_a_constant_that_nobody_has_loaded_is_not_in_use
    Sidekiq.autoload(:Throttled, "/no/such/file")
    @defined << [Sidekiq, :Throttled]
    check
  end

  def test_only_what_stops_can_be_accepted
    assert_match(/--accept nope: there is nothing of that name to accept \(sidekiq-throttled, .*encrypt/, refusal("nope"))
    assert_match(/--accept sidekiq-status/, refusal("sidekiq-status"))
  end

  def test_fields_are_held_unless_accepted_or_seen_to_by_a_gem
    fields = Mawashi::Reliances.new([]).held_fields
    # `Mawashi::JobRun` asks for these by their names.
    assert_equal %w[encrypt bid], fields
    assert_equal %w[bid], Mawashi::Reliances.new(["encrypt"]).held_fields
    load_gem("Sidekiq::Batch")
    assert_equal %w[encrypt], Mawashi::Reliances.new([]).held_fields
  end

  def test_a_held_job_is_no_failure_of_the_app
    gem = Mawashi::SidekiqGem.new("")
    gem.relies_on(Mawashi::Reliances.new([]))
    gem.hold("encrypt" => false)
    error = assert_raises(Mawashi::Held) { gem.hold("encrypt" => true) }
    assert_match(/its payload asks for "encrypt", .*`--accept encrypt`/, error.message)
    assert_equal [true, :hold, []], Mawashi::Failure.new(nil).hint(nil, {}, error)
  end

  def test_what_apps_are_known_to_rely_on_is_known_here
    known = (Mawashi::KnownReliances::GEMS + Mawashi::KnownReliances::FIELDS).map(&:name)
    gems = %w[sidekiq-cron sidekiq-scheduler sidekiq-unique-jobs sidekiq-throttled sidekiq-limit_fetch gitlab-sidekiq-fetcher
              sidekiq-status sidekiq-failures sidekiq-batch sidekiq-pro sidekiq-ent]
    agents = %w[sentry-sidekiq newrelic_rpm datadog elastic-apm opentelemetry-instrumentation-sidekiq]
    assert_empty gems + agents + %w[encrypt bid expires_in unique_for] - known
    assert_match(/rate limiters/, Mawashi::KnownReliances::GEMS.find { |gem| gem.name == "sidekiq-ent" }.here)
  end

  def test_the_guide_says_the_same
    rows = File.readlines(GUIDE, chomp: true).grep(/\A\| `/).map { |line| line.split("|").map(&:strip)[1..-1] }
    Mawashi::KnownReliances.rows.each { |row| assert_includes rows, row }
  end
end
