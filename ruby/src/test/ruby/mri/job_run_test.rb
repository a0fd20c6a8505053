# frozen_string_literal: true

require "mawashi/job_run"
require "mawashi/run_context"
require "mawashi/sidekiq_gem"
require "sidekiq/testing"

# What a run ends in where Ruby does all of it, as in MRI's children.
class JobRunTest < Minitest::Test
  # Has the module itself and not by way of `Sidekiq::IterableJob`.
  class StepsJob
    include Sidekiq::Job
    include Sidekiq::Job::Iterable

    def build_enumerator(cursor:)
      array_enumerator([1, 2], cursor: cursor)
    end

    def each_iteration(_); end
  end

  # Is done in steps by means of its own.
  class OwnStepsJob
    include Sidekiq::Job

    def perform
      raise Sidekiq::Job::Interrupted
    end
  end

  class PoolJob
    include Sidekiq::Job

    def perform
      SEEN << Thread.current[:entered]
    end
  end

  class StoppingJob
    include Sidekiq::Job

    def perform
      raise Sidekiq::Shutdown
    rescue Interrupt
      raise "wrapped"
    end
  end

  # An app with capsules.
  class CapsuleApp < Mawashi::SidekiqGem
    def capsules?
      true
    end

    def enter_capsule(queue)
      Thread.current[:entered] = queue
    end
  end

  SEEN = []

  def setup
    @context = Mawashi::RunContext.new
    @chain = Sidekiq.default_configuration.server_middleware
    @chain.clear
    @chain.add(Sidekiq::Job::InterruptHandler)
    Sidekiq::Queues.clear_all
    Sidekiq.logger.level = Logger::FATAL
  end

  def teardown
    @chain.clear
    Sidekiq.logger.level = Logger::INFO
  end

  def test_a_job_that_ends_early_goes_back_to_its_queue
    @context.stop
    [StepsJob, OwnStepsJob].each do |type|
      Sidekiq::Testing.fake! { assert_nil run_job(type, "retry" => false) }
      assert_equal ["j1"], Sidekiq::Queues["low"].map { |job| job["jid"] }, type
      Sidekiq::Queues.clear_all
    end
  ensure
    Sidekiq::Testing.disable!
    Mawashi::IterationState.new("j1").forget
  end

  def test_a_shutdown_of_the_jobs_own_counts_only_once_the_server_stops
    problem = run_job(StoppingJob)
    assert_equal [:failed, "RuntimeError"], [problem.kind, problem.error_class]
    @context.stop
    assert_equal :interrupted, run_job(StoppingJob).kind
  end

  def test_a_job_is_in_the_capsule_of_its_queue
    assert_nil run_job(PoolJob, {}, CapsuleApp.new(""))
    assert_equal ["low"], SEEN
  ensure
    SEEN.clear
    Thread.current[:entered] = nil
  end

  private

  def run_job(type, fields = {}, app = Mawashi::SidekiqGem.new(""))
    job = { "class" => type.name, "args" => [], "jid" => "j1", "queue" => "low" }.merge(fields)
    Mawashi::JobRun.new(app, @context).call("low", Sidekiq.dump_json(job))
  end
end
