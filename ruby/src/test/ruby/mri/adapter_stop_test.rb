# frozen_string_literal: true

require "mawashi/children/fork_context"
require "mawashi/launcher"

# Jobs in forks ask ActiveJob's adapter whether the server stops. The adapter has the form of those of Rails 8.1 and
# Sidekiq 8; `AdapterStopIT` has the real one, where there is one.
class AdapterStopTest < Minitest::Test
  # As ActiveSupport does: at once where it was loaded, else later.
  class Hooks
    class << self
      attr_accessor :later

      def on_load(name, &block)
        raise name.to_s unless name == :active_job

        later ? later << block : block.call
      end
    end
  end

  Adapter = Struct.new(:flag) do
    def stopping?(_job = nil)
      flag
    end
  end

  def setup
    Hooks.later = nil
    @made = []
    make(Object, :ActiveSupport, Hooks)
    make(Object, :ActiveJob, Module.new)
    make(ActiveJob, :QueueAdapters, Module.new)
    @adapter = Class.new(Adapter)
    @launcher = Mawashi::Launcher.new
  end

  def teardown
    @made.reverse_each { |scope, name, before| put(scope, name, before) }
  end

  def make(scope, name, value)
    @made << [scope, name, (scope.const_get(name) if scope.const_defined?(name, false))]
    put(scope, name, value)
  end

  def put(scope, name, value)
    scope.send(:remove_const, name) if scope.const_defined?(name, false)
    scope.const_set(name, value) if value
  end

  def load_adapter(type = @adapter)
    make(ActiveJob::QueueAdapters, :SidekiqAdapter, type)
  end

  def context
    @context ||= Mawashi::Children::ForkContext.of(@launcher)
  end

  def test_the_adapter_learns_of_the_stop_in_a_fork
    load_adapter
    context
    answers, answer = IO.pipe
    questions, question = IO.pipe
    pid = fork do
      2.times { questions.read(1) && answer.puts(@adapter.new(false).stopping?) }
      exit!
    end
    question.write("?")
    assert_equal "false\n", answers.gets
    context.stop
    question.write("?")
    assert_equal "true\n", answers.gets
    Process.wait(pid)
  end

  # Rails 8.2 leaves it to the gem.
  def test_there_may_be_no_adapter
    assert_kind_of Mawashi::Children::ForkContext, context
  end

  def test_its_own_answer_counts_too
    load_adapter
    context
    refute_predicate @adapter.new(false), :stopping?
    assert_predicate @adapter.new(true), :stopping?
  end

  def test_active_job_may_be_loaded_later
    Hooks.later = []
    context.stop
    load_adapter
    refute_predicate @adapter.new(false), :stopping?
    Hooks.later.each(&:call)
    assert_predicate @adapter.new(false), :stopping?
  end

  def test_an_adapter_that_is_not_asked_stays
    load_adapter(Class.new)
    context
    refute_respond_to ActiveJob::QueueAdapters::SidekiqAdapter.new, :stopping?
  end

  def test_an_adapter_without_its_gem_is_left_alone
    ActiveJob::QueueAdapters.autoload(:SidekiqAdapter, "no/such/file")
    assert_kind_of Mawashi::Children::ForkContext, context
  end

  def test_an_app_without_rails_has_none
    put(Object, :ActiveSupport, nil)
    assert_kind_of Mawashi::Children::ForkContext, context
  end
end
