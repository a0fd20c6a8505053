# frozen_string_literal: true

require "mawashi/resque/class_lookup"

# Hooks come in Resque's order and have its effects; only job classes are found.
class ResqueJobTest < Minitest::Test
  LOG = []

  module Noted
    def note(*what)
      LOG << what.join(" ")
    end
  end

  class PlainJob
    extend Noted

    def self.perform(*args)
      note "perform", args.inspect
    end
  end

  class HookedJob < PlainJob
    class << self
      def before_perform_b(*args) = note("before b", args.inspect)

      def before_perform_a(*) = note("before a")

      def before_perform(*) = note("before")

      def around_perform_2(*)
        note "in 2"
        yield
        note "out 2"
      end

      def around_perform_1(*)
        note "in 1"
        yield
        note "out 1"
      end

      def after_perform_z(*) = note("after z")

      def after_perform_y(*) = note("after y")

      def on_failure_x(error, *args) = note("failure", error.message, args.inspect)
    end
  end

  class LeftOutJob < HookedJob
    def self.before_perform_b(*)
      raise ::Resque::Job::DontPerform
    end
  end

  class SwallowedJob < PlainJob
    def self.around_perform(*) = note("around")

    def self.after_perform(*) = note("after")
  end

  class FailingJob < HookedJob
    def self.perform(*)
      raise NotImplementedError, "boom"
    end
  end

  class LateDontPerformJob < HookedJob
    def self.perform(*)
      raise ::Resque::Job::DontPerform, "too late"
    end
  end

  class BadHookJob < FailingJob
    def self.on_failure_a(*)
      raise ArgumentError, "hook"
    end
  end

  class StoppedJob < HookedJob
    def self.perform(*)
      raise Sidekiq::Shutdown
    end
  end

  class ListedJob < HookedJob
    def self.hooks
      %i[after_perform_z]
    end
  end

  module ModuleJob
    extend Noted
    def self.perform = note("module")
  end

  class InstanceJob
    def perform = LOG << "instance"
  end

  def setup
    LOG.clear
  end

  def run_job(name, *args)
    Mawashi::Resque::ClassLookup.job_class("ResqueJobTest::#{name}").new.perform(*args)
  end

  def test_the_class_method_gets_the_arguments
    run_job("PlainJob", 1, { "k" => [] })

    assert_equal ["perform #{[1, { "k" => [] }].inspect}"], LOG
  end

  def test_hooks_are_called_in_the_order_of_their_names
    run_job("HookedJob", 7)

    assert_equal ["before", "before a", "before b [7]", "in 1", "in 2", "perform [7]", "out 2", "out 1",
                  "after y", "after z"], LOG
  end

  def test_dont_perform_leaves_out_the_rest
    run_job("LeftOutJob")

    assert_equal ["before", "before a"], LOG
  end

  def test_dont_perform_after_that_is_a_failure
    assert_raises(::Resque::Job::DontPerform) { run_job("LateDontPerformJob") }
    assert_equal "failure too late []", LOG.last
  end

  def test_an_around_hook_may_leave_out_perform_and_the_after_hooks_run
    run_job("SwallowedJob")

    assert_equal %w[around after], LOG
  end

  def test_failure_hooks_get_the_error_before_it_goes_on
    error = assert_raises(NotImplementedError) { run_job("FailingJob", 1) }

    assert_equal "failure boom [1]", LOG.last
    assert_equal "in 2", LOG[-2]
    assert_equal [__FILE__], error.backtrace.map { |line| line[/\A.*\.rb/] }.uniq
    assert_equal 1, error.backtrace.size
  end

  def test_a_failure_hook_that_raises_takes_the_errors_place
    error = assert_raises(RuntimeError) { run_job("BadHookJob", 1) }

    assert_equal "Additional error (ArgumentError: hook) occurred in running failure hooks for job " \
                 "ResqueJobTest::BadHookJob\nOriginal error that caused job failure was ArgumentError: " \
                 "NotImplementedError: boom", error.message
    assert_empty error.backtrace
  end

  def test_a_job_that_the_stop_cuts_short_has_not_failed
    assert_raises(Sidekiq::Shutdown) { run_job("StoppedJob") }

    assert_equal "in 2", LOG.last
  end

  def test_a_class_may_list_its_hooks
    run_job("ListedJob")

    assert_equal ["perform []", "after z"], LOG
  end

  def test_a_module_can_be_a_job_class
    run_job("ModuleJob")

    assert_equal ["module"], LOG
  end

  def test_dashes_are_names_too
    Object.const_set(:ResqueDashedJob, PlainJob)

    assert_equal PlainJob.to_s, Mawashi::Resque::ClassLookup.job_class("resque-dashed-job").to_s
  ensure
    Object.send(:remove_const, :ResqueDashedJob)
  end

  def test_what_is_no_job_class_is_not_touched
    as_ruby = assert_raises(NoMethodError) { InstanceJob.perform }.message.lines.first.chomp
    assert_equal as_ruby, assert_raises(NoMethodError) { run_job("InstanceJob") }.message
    assert_raises(NoMethodError) { Mawashi::Resque::ClassLookup.job_class("Kernel") }
    assert_equal "RUBY_VERSION is not a Resque job class (it has no class method perform)",
                 assert_raises(NameError) { Mawashi::Resque::ClassLookup.job_class("RUBY_VERSION") }.message
    assert_equal "uninitialized constant ResqueJobTest::NoSuch",
                 assert_raises(NameError) { run_job("NoSuch::Job") }.message
    assert_raises(NameError) { Mawashi::Resque::ClassLookup.job_class("a b") }
    assert_empty LOG
  end
end
