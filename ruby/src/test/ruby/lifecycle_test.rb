# frozen_string_literal: true

require "mawashi/lifecycle"
require "timeout"
require "tmpdir"

# When the app's blocks for lifecycle events are called, by the rules of Sidekiq 8 (component.rb).
class LifecycleTest < Minitest::Test
  # As much of a Sidekiq as has events.
  App = Struct.new(:lifecycle_events, :error_handlers) do
    def call_error_handler(handler, error, context)
      handler.call(error, context)
    end
  end

  def setup
    @seen = []
    @errors = []
    @app = App.new({}, [->(error, context) { @errors << [error.message, context[:event]] }])
    @lifecycle = Mawashi::Lifecycle.new(@app)
  end

  def on(event, *names)
    @app.lifecycle_events[event] = names.map { |name| -> { @seen << name } }
  end

  def test_beat_is_called_each_time_and_the_others_once
    on(:beat, :a, :b)
    on(:heartbeat, :c)
    2.times do
      @lifecycle.fire(:beat)
      @lifecycle.fire(:heartbeat)
    end
    assert_equal %i[a b c a b], @seen
  end

  def test_what_ends_goes_in_the_other_order
    %i[startup quiet shutdown exit].each { |event| on(event, event, :last) }
    %i[startup quiet shutdown exit].each { |event| @lifecycle.fire(event) }
    assert_equal %i[startup last last quiet last shutdown last exit], @seen
  end

  def test_only_a_startup_that_raises_goes_on_raising
    on(:exit, :after)
    @app.lifecycle_events[:exit] << -> { raise "late" }
    @lifecycle.fire(:exit)
    @app.lifecycle_events[:startup] = [-> { raise "early" }]
    assert_raises(RuntimeError) { @lifecycle.fire(:startup) }
    assert_equal %i[after], @seen
    assert_equal [["late", :exit], ["early", :startup]], @errors
  end

  # A block of sidekiq-scheduler's, as far as can be seen.
  def scheduler(name)
    eval("-> { @seen << name }", binding, "/gems/sidekiq-scheduler-4/lib/sidekiq-scheduler.rb") # rubocop:disable Style/EvalWithLocation
  end

  def other
    Mawashi::Lifecycle.new(App.new({ startup: [-> { @seen << :b }, scheduler(:twice)], quiet: [scheduler(:stop)] }, []))
  end

  def test_what_counts_once_is_called_in_one_of_the_processes_that_take_turns
    Dir.mktmpdir do |folder|
      @app.lifecycle_events.merge!(startup: [scheduler(:once)], quiet: [scheduler(:stop)])
      waiting = other
      [@lifecycle, waiting].each do |lifecycle|
        lifecycle.take_turns(File.join(folder, "once"))
        lifecycle.fire(:startup)
        lifecycle.fire(:quiet)
      end
      assert_equal %i[once stop b], @seen
      assert_predicate waiting, :waits?
      @lifecycle.instance_variable_get(:@lock).close
      Timeout.timeout(60) { Thread.pass until @seen.include?(:twice) }
    end
  end

  def test_what_counts_once_is_left_to_who_has_loaded_the_app_before
    second = other
    second.leave_once_to_others
    %i[startup quiet].each { |event| second.fire(event) }
    assert_equal %i[b], @seen
  end

  def test_a_process_alone_calls_all
    lifecycle = other
    %i[startup quiet].each { |event| lifecycle.fire(event) }
    assert_equal %i[b twice stop], @seen
  end

  def test_an_event_that_this_version_does_not_have_is_nobodys
    assert_empty @lifecycle.fire(:beat)
  end
end
