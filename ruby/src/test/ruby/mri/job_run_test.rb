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

  class NamelessJob
    include Sidekiq::Job

    def perform
      raise Class.new(StandardError), "nameless"
    end
  end

  class EchoJob
    include Sidekiq::Job

    def perform(*args)
      SEEN.concat(args)
    end
  end

  class AnsweringJob
    include Sidekiq::Job
    ANSWERS = [nil, -5, Float::NAN, Float::INFINITY, :whatever, "soon", Object.new, 7, :kill].freeze
    sidekiq_retry_in { |_, error| error.message == "raise" ? raise("in the block") : ANSWERS[Integer(error.message)] }

    def perform(answer)
      raise answer.to_s
    end
  end

  # Changes what it is given.
  class ChangingJob
    include Sidekiq::Job
    sidekiq_retry_in { |_, _, job| SEEN << job && 7 }

    def perform(list)
      list << "more"
      raise "failed"
    end
  end

  class Tenant
    def call(_, job, _)
      job["tenant"] = "t1"
      yield
    end
  end

  # Answers to any name, as delegators do. Jobs of Sidekiq 6 have no context.
  class AnsweringToAllJob
    include Sidekiq::Job
    undef_method :_context=

    def perform
      SEEN << "performed"
    end

    def respond_to_missing?(*) = true
  end

  class PrivateJob
    include Sidekiq::Job

    private

    def perform; end
  end

  class ProtectedJob
    include Sidekiq::Job

    protected

    def perform; end
  end

  class NoPerformJob
    include Sidekiq::Job
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
    SEEN.clear
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

  def test_a_backtrace_is_cleaned_as_the_app_wants_it
    cleaner = ->(lines) { lines.grep(/job_run_test/).map { |line| line[/\w+\.rb/] }.uniq }
    Sidekiq.default_configuration[:backtrace_cleaner] = cleaner
    assert_equal ["job_run_test.rb"], run_job(NamelessJob, "backtrace" => true).backtrace
    assert_operator run_job(NamelessJob).backtrace.size, :>, 1
    Sidekiq.default_configuration[:backtrace_cleaner] = ->(_) { raise "broken" }
    assert_operator run_job(NamelessJob, "backtrace" => 3).backtrace.size, :>, 1
  ensure
    Sidekiq.default_configuration[:backtrace_cleaner] = nil
  end

  # As Sidekiq passes them.
  def test_arguments_that_are_no_array_are_splatted
    { '"abc"' => ["abc"], "5" => [5], '{"a":1}' => [["a", 1]], "null" => [], "false" => [false] }.each do |args, wanted|
      text = %({"class":"#{EchoJob.name}","jid":"j1","args":#{args}})
      assert_nil Mawashi::JobRun.new(Mawashi::SidekiqGem.new(""), @context).call("low", text)
      assert_equal wanted, SEEN, args
      SEEN.clear
    end
  end

  def test_odd_json_means_what_the_apps_json_gem_makes_of_it
    ['"args":[1],"args":[2]', '"args":["\\ud800"]', '"args":["\\udc00"]', '"args":[3] /* 3 */'].each do |odd|
      text = %({"class":"#{EchoJob.name}","jid":"j1",#{odd}})
      wanted = meaning(text)
      problem = Mawashi::JobRun.new(Mawashi::SidekiqGem.new(""), @context).call("low", text)

      assert_equal wanted, problem ? problem.kind : SEEN, odd
      SEEN.clear
    end
  end

  def meaning(text)
    JSON.parse(text)["args"]
  rescue JSON::ParserError
    :malformed
  end

  def test_any_answer_to_retry_in_is_an_outcome
    answers = [*AnsweringJob::ANSWERS.each_index, "raise"]
    wishes = answers.map { |answer| run_job(AnsweringJob, "args" => [answer], "retry" => true).wish }
    assert_equal [*[nil] * 7, 7, :kill, nil], wishes
  end

  def test_an_error_class_without_a_name_is_told_as_ruby_shows_it
    assert_match(/\A#<Class:0x\h+>\z/, run_job(NamelessJob).error_class)
  end

  class EndingJob
    include Sidekiq::Job
    sidekiq_retries_exhausted { |job, _| job["args"] == ["drop"] ? :discard : job.update("args" => [job["args"].first]) }
  end

  def test_a_class_may_change_what_is_buried
    ends = [%w[drop], %w[a b], %w[a]].map do |args|
      job = Sidekiq.dump_json("class" => EndingJob.name, "args" => args)
      Mawashi::JobRun.new(Mawashi::SidekiqGem.new(""), @context).give_up(nil, job, "EXHAUSTED")
    end
    assert_equal [:discard, "{\"class\":\"#{EndingJob.name}\",\"args\":[\"a\"]}", nil], ends
  end

  def test_a_job_that_asks_for_what_is_not_here_is_not_begun
    gem = Mawashi::SidekiqGem.new("")
    gem.relies_on(Mawashi::Reliances.new(["bid"]))
    run = Mawashi::JobRun.new(gem, @context)
    payload = { "class" => PoolJob.name, "args" => [], "jid" => "j1", "encrypt" => true }
    problem = run.call("low", payload)
    assert_equal [:unfound, "Mawashi::Held", :hold], [problem.kind, problem.error_class, problem.wish]
    assert_empty SEEN
    assert_nil run.call("low", payload.merge("encrypt" => nil, "bid" => "b1"))
  end

  def test_a_run_without_a_class_is_no_run_of_that_class
    type = Struct.new(:name)
    problem = run_job(type.new("NoSuchJob"))
    assert_equal [:unfound, "NameError"], [problem.kind, problem.error_class]
    assert_predicate problem, :failed?
  end

  def test_a_job_is_in_the_capsule_of_its_queue
    assert_nil run_job(PoolJob, {}, CapsuleApp.new(""))
    assert_equal ["low"], SEEN
  ensure
    SEEN.clear
    Thread.current[:entered] = nil
  end

  def test_the_block_for_the_next_try_sees_the_job_as_it_came
    @chain.add(Tenant)
    text = Sidekiq.dump_json("class" => ChangingJob.name, "args" => [["a"]], "jid" => "j1", "retry" => true)
    run = Mawashi::JobRun.new(Mawashi::SidekiqGem.new(""), @context)
    wishes = [run.call("low", text.dup), run.call("low", JSON.parse(text)) { text.dup }].map(&:wish)

    assert_equal [7, 7], wishes
    assert_equal [[["a"]]] * 2, SEEN.map { |job| job["args"] }
    assert_equal [nil, nil], SEEN.map { |job| job["tenant"] }
  end

  def test_a_class_that_answers_to_all_names_runs
    assert_nil run_job(AnsweringToAllJob)
    assert_equal ["performed"], SEEN
  end

  def test_what_cannot_be_performed_is_told_without_our_own_source
    [PrivateJob, ProtectedJob, NoPerformJob].each do |type|
      problem = run_job(type)
      assert_equal "NoMethodError", problem.error_class
      assert_match(/perform/, problem.message)
      refute_match(/\n|instance/, problem.message.sub("an instance of", ""))
    end
  end

  private

  def run_job(type, fields = {}, app = Mawashi::SidekiqGem.new(""))
    job = { "class" => type.name, "args" => [], "jid" => "j1", "queue" => "low" }.merge(fields)
    Mawashi::JobRun.new(app, @context).call("low", Sidekiq.dump_json(job))
  end
end
