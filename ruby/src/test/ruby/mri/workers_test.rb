# frozen_string_literal: true

require "mawashi/children/lanes"
require "mawashi/children/workers"
require "mawashi/run_context"
require "mawashi/time_limit_exceeded"
require "timeout"

# The threads of an MRI child, with cuts at any moment: each place gives way to the thread that cuts.
class WorkersTest < Minitest::Test
  JOBS = 300

  class SpinJob
    include Sidekiq::Job

    def perform
      2.times { Thread.pass }
    end
  end

  class WaitingJob
    include Sidekiq::Job
    BEGUN = Thread::Queue.new

    def perform
      BEGUN << true
      sleep
    end
  end

  # What a JobRun asks of an app without middleware, reloader and job log.
  class PlainApp
    def enter_slot; end

    def class_lookup
      Mawashi::ClassLookup
    end

    def server_middleware; end

    def job_profile; end

    def chain_use
      :none
    end

    def reloader; end

    def handled_error; end

    def capsules?
      false
    end

    def error_handlers
      []
    end

    def new_job_logger(*); end

    def logs_jobs?
      false
    end
  end

  # Ends the thread of each job that fails.
  class EndingApp < PlainApp
    def error_handlers
      [nil]
    end

    def call_error_handler(*)
      Thread.exit
    end
  end

  # Has a logger for jobs that cannot be made.
  class BrokenApp < PlainApp
    def new_job_logger(*)
      raise "no logger today"
    end
  end

  # Keeps what is told of each job.
  class Told
    attr_reader :kept, :problems, :returned

    def initialize
      @kept = Thread::Queue.new
      @returned = Thread::Queue.new
      @problems = Thread::Queue.new
    end

    def problem(id, _nanos, problem)
      @problems << [id, problem.error_class]
    end

    def unbegun(ids)
      @returned << ids
    end

    def done(_row, id, *)
      Thread.pass
      @kept << id
      Thread.pass
    end
  end

  class NoMarks
    def row(_thread)
      self
    end

    def mark(id)
      @last = id
      Thread.pass
    end

    attr_reader :last
  end

  def test_a_cut_hits_its_job_alone_and_each_job_is_told_once
    jobs = Mawashi::Children::Lanes.new([3])
    payload = %({"class":"WorkersTest::SpinJob","args":[],"jid":"1"})
    JOBS.times { |id| jobs.queue(0) << [id + 1, "default", payload.dup] }
    told = Told.new
    marks = NoMarks.new
    workers = workers(jobs, told, marks)
    workers.start
    cut_even(workers, marks, told)

    done = Array.new(told.kept.size) { told.kept.pop }
    cut = Array.new(told.problems.size) { told.problems.pop }
    assert_equal (1..JOBS).to_a, (done + cut.map(&:first)).sort
    refute_empty cut
    assert_empty cut.map(&:first).select(&:odd?), "jobs that nobody has cut"
    assert_equal ["Mawashi::TimeLimitExceeded"], cut.map(&:last).uniq
    workers.close
  end

  def test_a_process_whose_threads_cannot_be_set_up_says_so_and_ends
    reader, writer = IO.pipe
    pid = fork do
      STDERR.reopen(writer)
      workers(Mawashi::Children::Lanes.new([1]), Told.new, NoMarks.new, BrokenApp.new).start
      sleep
    end
    writer.close
    Timeout.timeout(20) { Process.wait(pid) }
    assert_equal 1, $?.exitstatus
    assert_includes reader.read, "no logger today (RuntimeError)"
  ensure
    Process.kill("KILL", pid) unless $?&.pid == pid
  end

  def test_a_job_whose_thread_another_ends_is_handed_back_and_the_second_time_fails
    jobs = Mawashi::Children::Lanes.new([1])
    told = Told.new
    others = Thread.list
    workers = workers(jobs, told, NoMarks.new)
    workers.start
    payload = %({"class":"WorkersTest::WaitingJob","args":[],"jid":"1"})
    [1, 2].each do |id|
      jobs.queue(0) << [id, "default", payload.dup]
      WaitingJob::BEGUN.pop
      slot(others).kill.join
    end

    assert_equal [1], told.returned.pop
    assert_equal [2, "ThreadError"], told.problems.pop
    slot(others).exit.join
    jobs.queue(0) << [3, "default", %({"class":"WorkersTest::SpinJob","args":[],"jid":"1"}).dup]
    assert_equal 3, told.kept.pop, "one that waited for a job is replaced, too"
    workers.close
  end

  def test_a_job_whose_handlers_end_their_thread_each_time_fails_and_its_slot_stays
    jobs = Mawashi::Children::Lanes.new([1])
    told = Told.new
    workers = workers(jobs, told, NoMarks.new, EndingApp.new).start
    jobs.queue(0) << [1, "default", %({"class":"WorkersTest::SpinJob","args":["one too many"],"jid":"1"}).dup]
    assert_equal [1, "ThreadError"], pop(told.problems)
    assert_runs_another(jobs, told)
    workers.close
  end

  def test_a_slot_that_waits_for_a_job_stays_when_an_error_is_raised_in_its_thread
    jobs = Mawashi::Children::Lanes.new([1])
    told = Told.new
    others = Thread.list
    workers = workers(jobs, told, NoMarks.new).start
    assert_runs_another(jobs, told)
    idle = slot(others)
    idle.report_on_exception = false
    Thread.pass until idle.stop?
    idle.raise("others")
    assert_raises(RuntimeError) { idle.join }
    assert_runs_another(jobs, told)
    workers.close
  end

  private

  def assert_runs_another(jobs, told)
    jobs.queue(0) << [7, "default", %({"class":"WorkersTest::SpinJob","args":[],"jid":"7"}).dup]
    assert_equal 7, pop(told.kept)
  end

  # As a job that is never told of would keep the test.
  def pop(queue)
    Timeout.timeout(20) { queue.pop }
  end

  # @param others [Array<Thread>] that are not meant
  def slot(others)
    thread = (Thread.list - others).find { |one| one.name == "mawashi-slot-1" } until thread
    thread
  end

  def workers(jobs, told, marks, app = PlainApp.new)
    workers = Mawashi::Children::Workers.new(
      jobs: jobs, outcomes: told, sidekiq: app, context: Mawashi::RunContext.new, marks: marks
    )
    workers.leased_until = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) + 10**12
    workers
  end

  # Cuts jobs with an even id while they run, at whatever moment this thread gets its turn.
  def cut_even(workers, marks, told)
    error = Mawashi::TimeLimitExceeded.new("too long")
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 60
    until told.kept.size + told.problems.size >= JOBS
      flunk "some jobs were never told" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
      id = marks.last
      workers.cut(id, error) if id&.even?
      Thread.pass
    end
  end
end
