# frozen_string_literal: true

require "mawashi/job_profile"
require "logger"
require "sidekiq"
require "stringio"

# A job under a profiler that works, or does not.
class JobProfileTest < Minitest::Test
  JOB = { "class" => "Report", "jid" => "j1", "profile" => "mike" }.freeze

  def setup
    @lines = StringIO.new
    @logger = Sidekiq.logger
    Sidekiq.default_configuration.logger = Logger.new(@lines)
    @runs = 0
  end

  def teardown
    Sidekiq.default_configuration.logger = @logger
  end

  def run_under(profiler, &job)
    Mawashi::JobProfile.new { profiler }.call(JOB) do
      @runs += 1
      job&.call
    end
    assert_equal 1, @runs
    @lines.string
  end

  def test_a_job_runs_once_under_a_profiler_that_works
    seen = nil
    lines = run_under(lambda do |job, &block|
      seen = job
      block.call
    end)
    assert_equal [JOB, ""], [seen, lines]
  end

  def test_a_job_runs_once_where_vernier_is_not_there
    lines = run_under(->(_job) { require "mawashi/no_such_file" })
    assert_includes lines, "no profile of Report j1: the gem vernier cannot be loaded, add it to the Gemfile"
  end

  def test_a_job_runs_once_where_a_profile_runs_already
    lines = run_under(->(_job) { raise "profile already started" })
    assert_includes lines, "no profile of Report j1: RuntimeError: profile already started"
  end

  def test_a_job_that_is_done_stays_done_when_its_profile_is_lost
    profiler = lambda do |_job, &block|
      block.call
      raise IOError, "no Redis"
    end
    assert_includes run_under(profiler), "no profile of Report j1: IOError: no Redis"
  end

  def test_a_job_fails_by_its_own_error
    [RuntimeError, LoadError].each do |error|
      @runs = 0
      assert_raises(error) { run_under(->(_job, &block) { block.call }) { raise error, "its own" } }
      assert_equal [1, ""], [@runs, @lines.string]
    end
  end
end
