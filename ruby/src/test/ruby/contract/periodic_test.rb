# frozen_string_literal: true

require "mawashi/command_settings"
require "mawashi/periodic"
require "stringio"

# `config.periodic` in what `Sidekiq.configure_server` yields. The same on Sidekiq and on what Mawashi ships.
class PeriodicContract < Minitest::Test
  # As those of TZInfo and Active Support are.
  Zone = Struct.new(:identifier)
  RailsZone = Struct.new(:name, :tzinfo)

  class Work
    include Sidekiq::Job
  end

  def setup
    Mawashi::Periodic.allow
    Mawashi::Periodic.instance_variable_set(:@registry, nil)
    @logger = Sidekiq.logger
    @log = StringIO.new
    config.logger = Logger.new(@log)
    @tz = ENV.fetch("TZ", nil)
  end

  def teardown
    Mawashi::Periodic.instance_variable_set(:@registry, nil)
    Sidekiq.send(:remove_const, :Periodic) if Sidekiq.const_defined?(:Periodic, false)
    config.logger = @logger
    ENV["TZ"] = @tz
  end

  def config
    Sidekiq.respond_to?(:default_configuration) ? Sidekiq.default_configuration : Sidekiq
  end

  def periodic(&block)
    config.periodic(&block)
  end

  def fields
    JSON.parse(Mawashi::Periodic.json)
  end

  def refusal(*words)
    assert_raises(ArgumentError) { periodic { |mgr| mgr.register(*words) } }.message
  end

  def test_an_entry_has_what_the_app_says_and_its_place
    lid = nil
    periodic { |mgr| lid = mgr.register("*/5 * * * *", Work, retry: 2, queue: :foo, args: [1, "b"], tags: ["a"]) }
    entry = fields.first

    assert_equal ["*/5 * * * *", "PeriodicContract::Work", "foo", [1, "b"]], entry.values_at("cron", "class", "queue", "args")
    assert_equal "periodic:PeriodicContract::Work:#{lid}", entry["name"]
    assert_equal({ "retry" => 2, "tags" => ["a"] }, entry["options"])
    assert_match(/\Aconfig.periodic, .*periodic_test.rb:\d+\z/, entry["description"])
  end

  def test_options_may_be_left_out_and_may_have_texts_for_names
    periodic do |mgr|
      mgr.register("@daily", "Later")
      mgr.register("@daily", "Later", "args" => ["x"], "unique_for" => 60)
    end
    first, second = fields

    assert_equal ["", [], {}], first.values_at("queue", "args", "options")
    assert_equal [["x"], {}], second.values_at("args", "options")
    refute_equal first["name"], second["name"]
  end

  def test_the_zone_is_the_entrys_or_the_managers_or_the_processs
    ENV["TZ"] = "Europe/Vienna"
    periodic do |mgr|
      mgr.register("@daily", "A")
      mgr.tz = RailsZone.new("Central Time (US & Canada)", Zone.new("America/Chicago"))
      mgr.register("@daily", "B")
      mgr.register("@daily", "C", tz: Zone.new("Asia/Tokyo"))
      mgr.register("@daily", "D", tz: "UTC")
    end
    assert_equal %w[Europe/Vienna America/Chicago Asia/Tokyo UTC], fields.map { |entry| entry["zone"] }

    [nil, "", ":/etc/localtime"].each do |system|
      ENV["TZ"] = system
      assert_equal "", fields.first["zone"]
    end
  end

  def test_the_same_entry_twice_counts_once_and_is_said
    lids = Array.new(2) do
      lid = nil
      periodic { |mgr| lid = mgr.register("@daily", "A", args: [1]) }
      lid
    end

    assert_equal [lids.first], lids.uniq
    assert_equal 1, fields.size
    assert_match(/periodic_test.rb:\d+: config.periodic: "A" at "@daily": is registered at .*:\d+ too, and counts once/, @log.string)
  end

  def test_what_is_no_entry_is_refused_with_place_and_reason
    assert_match(/periodic_test.rb:\d+: .*"A" at 5: register\(.*takes a line of cron's and a class/, refusal(5, "A"))
    assert_match(/takes a line/, refusal("@daily", nil))
    assert_match(/takes a line/, refusal("@daily", Class.new))
    assert_match(/"A" at "@daily": options are \[1\], must be a Hash/, refusal("@daily", "A", [1]))
    assert_match(/args are "x", must be an Array/, refusal("@daily", "A", { args: "x" }))
    assert_match(/retry is "no", must be true, false or a number/, refusal("@daily", "A", { retry: "no" }))
    assert_match(/cannot be written as JSON/, refusal("@daily", "A", { args: [Float::NAN] }))
    assert_match(/"A" at "@daily": the zone is nil/, refusal("@daily", "A", { tz: nil }))
    assert_match(/the zone is nil/, assert_raises(ArgumentError) { periodic { |mgr| mgr.tz = nil } }.message)
    assert_match(/needs a block/, assert_raises(ArgumentError) { periodic }.message)
    assert_equal "[]", Mawashi::Periodic.json
  end

  def test_jobs_can_list_what_was_registered
    Mawashi::Periodic.join(nil)
    refute Sidekiq.const_defined?(:Periodic, false)

    lid = nil
    periodic { |mgr| lid = mgr.register("@daily", "A", queue: "low", tz: "UTC") }
    Mawashi::Periodic.join(nil)
    loops = Sidekiq::Periodic::LoopSet.new

    assert_equal [["@daily", "A", lid, { "queue" => "low" }, "UTC"]],
                 (loops.map { |one| [one.schedule, one.klass, one.lid, one.options, one.tz] })
    assert_equal [1, "A", nil], [loops.size, loops.fetch(lid).klass, loops.fetch("none")]
    assert_kind_of Sidekiq::Periodic::Loop, loops.first
  end

  # Sidekiq Enterprise's own method is one of the thing itself.
  def test_the_gems_own_method_counts_where_it_is_there
    type = config.is_a?(Module) ? config.singleton_class : config.class
    type.define_method(:periodic) { :own }
    assert_equal :own, periodic
  ensure
    type.remove_method(:periodic)
  end
end
