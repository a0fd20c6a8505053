# frozen_string_literal: true

require "mawashi/error_handlers"
require "mawashi/job_log"
require "mawashi/sidekiq_gem"

# What comes of a job does not depend on its log.
class ShimJobLogTest < Minitest::Test
  # A job logger that raises where it is told to.
  class BrokenLogger
    def self.breaks(*places)
      Class.new(self) { define_method(:places) { places } }.new
    end

    def prepare(_job)
      break_at(:prepare)
      yield
    end

    def call(_job, _queue)
      break_at(:start)
      yield
      break_at(:done)
    rescue Exception # rubocop:disable Lint/RescueException -- as Sidekiq's own does
      break_at(:fail)
      raise
    end

    private

    def break_at(place)
      raise Errno::ENOSPC, place.to_s if places.include?(place)
    end
  end

  # An app with such a job logger, and whose log cannot be written either.
  App = Struct.new(:logger, :error_handlers) do
    def new_job_logger(type = nil)
      type ? type.new(Sidekiq.default_configuration) : logger
    end

    def call_error_handler(handler, *args)
      handler.call(*args)
    end
  end

  class FullLog < ::Logger
    def add(*)
      raise Errno::ENOSPC
    end
  end

  def setup
    @logger = Sidekiq.logger
    Sidekiq.logger = FullLog.new(nil)
    @runs = 0
  end

  def teardown
    Sidekiq.logger = @logger
    Thread.current[:sidekiq_context] = nil
  end

  def run_logged(*places, &job)
    log = Mawashi::JobLog.new(App.new(BrokenLogger.breaks(*places), []), -> {})
    log.call({ "class" => "J" }, "default") do
      @runs += 1
      job&.call
    end
  end

  def test_a_job_runs_once_whatever_its_logger_does
    [[], %i[prepare], %i[start], %i[start fail], %i[done], %i[done fail]].each_with_index do |places, number|
      run_logged(*places)
      assert_equal number + 1, @runs, places
    end
  end

  def test_the_jobs_own_error_counts
    [IOError, Interrupt, NoMemoryError].each do |type|
      error = assert_raises(type) { run_logged(:fail) { raise type, "mine" } }
      assert_equal "mine", error.message
      assert_nil error.cause
      assert_match "shim_job_log_test.rb", error.backtrace.first
      assert_raises(type) { run_logged(:start, :fail) { raise type } }
    end
    assert_equal 6, @runs
  end

  def test_what_is_meant_for_the_job_ends_it_in_its_logger_too
    logger = BrokenLogger.breaks
    logger.define_singleton_method(:call) { |*| raise Sidekiq::Shutdown }
    log = Mawashi::JobLog.new(App.new(logger, []), -> {})
    assert_raises(Sidekiq::Shutdown) { log.call({}, "default") { @runs += 1 } }
    assert_equal 0, @runs
  end

  def test_a_handler_that_breaks_keeps_none_from_the_others
    heard = []
    handlers = [->(*) { raise Errno::EPIPE }, ->(*) { raise NotImplementedError }, ->(error, _) { heard << error.message }]
    Mawashi::ErrorHandlers.new(App.new(nil, handlers)).call(IOError.new("mine"), context: "here")
    assert_equal ["mine"], heard
  end
end
