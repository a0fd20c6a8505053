# frozen_string_literal: true

require "mawashi/lifecycle"

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

  def test_an_event_that_this_version_does_not_have_is_nobodys
    assert_empty @lifecycle.fire(:beat)
  end
end
