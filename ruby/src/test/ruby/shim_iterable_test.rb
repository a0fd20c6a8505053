# frozen_string_literal: true

# Iterable jobs of the shipped API, with their state in a real Redis: on JRuby through the server's door, on
# MRI through the app's Redis library.
class ShimIterableTest < Minitest::Test
  DID = []

  # Tells a job that the server is stopping once so many items are done.
  Stop = Struct.new(:after) do
    def stopping?
      DID.grep(Integer).size >= after
    end
  end

  class StepsJob
    include Sidekiq::IterableJob

    def build_enumerator(first, last, cursor:)
      array_enumerator((first..last).to_a, cursor: cursor)
    end

    def each_iteration(number, *args)
      raise "args" unless args == arguments

      DID << number
      raise IOError, "at #{number}" if number == 4 && DID.include?(:trouble)

      cancel! if DID.include?(:cancels)
      throw :abort if DID.include?(:aborts)
    end

    def around_iteration
      yield
      DID << :around if DID.include?(:wants_around)
    end

    %i[on_start on_resume on_stop on_cancel on_complete].each do |hook|
      define_method(hook) { DID << hook }
      private hook
    end
  end

  class NothingJob < StepsJob
    def build_enumerator(*, **); end
  end

  class BareJob
    include Sidekiq::IterableJob
  end

  class ListJob < BareJob
    def build_enumerator(cursor:)
      [cursor]
    end
  end

  def setup
    DID.clear
    @jid = SecureRandom.hex(12)
    @state = Mawashi::IterationState.new(@jid)
  end

  def run_job(args = [1, 6], type: StepsJob, stop: 100)
    job = type.new
    job.jid = @jid
    job._context = Stop.new(stop)
    job.perform(*args)
    job
  end

  def test_a_job_goes_through_all_items_and_leaves_no_state
    job = run_job([1, 3])
    assert_equal [:on_start, 1, 2, 3, :on_stop, :on_complete], DID
    assert_equal 3, job.current_object
    assert_equal 2, job.cursor
    assert_empty @state.read
  end

  def test_a_job_that_is_stopped_goes_on_where_it_was
    assert_raises(Sidekiq::Job::Interrupted) { run_job(stop: 2) }
    assert_equal [:on_start, 1, 2, :on_stop], DID
    kept = @state.read
    assert_equal %w[ex c rt], kept.keys
    assert_equal %w[1 2], kept.values_at("ex", "c")
    assert_match(/\A\d+\.\d+/, kept["rt"])
    assert_raises(Sidekiq::Job::Interrupted) { run_job(stop: 4) }
    assert_equal %w[2 4], @state.read.values_at("ex", "c")
    assert_operator @state.read["rt"].to_f, :>, kept["rt"].to_f
    run_job
    assert_equal [:on_start, 1, 2, :on_stop, :on_resume, 3, 4, :on_stop, :on_resume, 5, 6, :on_stop, :on_complete], DID
    assert_empty @state.read
  end

  def test_the_state_is_kept_each_five_seconds
    progress = Sidekiq::Job::Iterable::Progress.new(@jid)
    progress.at(1, false)
    assert_empty @state.read
    progress.define_singleton_method(:now) { super() + 5 }
    progress.at(2, false)
    assert_equal "2", @state.read["c"]
    progress.at(3, false)
    assert_equal "2", @state.read["c"]
  end

  def test_an_error_keeps_the_item_at_which_it_was_raised
    DID << :trouble
    assert_raises(IOError) { run_job }
    assert_equal %w[1 3 0], @state.read.values_at("ex", "c", "rt")
    DID.delete(:trouble)
    DID.clear
    run_job
    assert_equal [:on_resume, 4, 5, 6, :on_stop, :on_complete], DID
  end

  def test_an_error_is_not_lost_when_its_state_cannot_be_kept
    DID << :trouble
    job = StepsJob.new
    job.define_singleton_method(:around_iteration) do |&item|
      @_progress.define_singleton_method(:keep) { raise Mawashi::Error, "Redis is away" }
      item.call
    end
    level = Sidekiq.logger.level
    Sidekiq.logger.level = Logger::FATAL
    assert_raises(IOError) { job.perform(4, 6) }
  ensure
    Sidekiq.logger.level = level
  end

  def test_a_cancelled_job_does_nothing_more
    first = Sidekiq::Client.new.cancel!(@jid)
    assert_in_delta Time.now.to_i, first, 60
    @state.write("cancelled" => 1)
    assert_equal first.to_s, @state.read["cancelled"]
    job = run_job
    assert_equal %i[on_start on_cancel on_stop on_complete], DID
    assert job.cancelled?
    assert_empty @state.read
  end

  def test_a_job_that_cancels_itself_ends_when_its_state_is_kept
    DID << :cancels
    job = run_job(stop: 2)
    assert_equal [1, 2], DID.grep(Integer)
    assert_equal %i[on_cancel on_stop on_complete], DID.last(3)
    assert job.cancelled?
    assert_empty @state.read
  end

  def test_a_job_may_be_done_before_its_end
    DID << :aborts
    run_job
    assert_equal [:aborts, :on_start, 1, :on_stop, :on_complete], DID
  end

  def test_something_can_be_done_around_each_item
    DID << :wants_around
    run_job([1, 2])
    assert_equal [1, :around, 2, :around], DID.drop(2).take(4)
  end

  def test_a_job_without_items_is_done
    run_job([], type: NothingJob)
    assert_empty DID
  end

  def test_what_a_class_lacks_is_said
    assert_match("must implement a '#build_enumerator' method",
                 assert_raises(NotImplementedError) { run_job([], type: BareJob) }.message)
    assert_match("returned Array", assert_raises(ArgumentError) { run_job([], type: ListJob) }.message)
    error = assert_raises(RuntimeError) { Class.new(BareJob) { def perform; end } }
    assert_match("must not define #perform", error.message)
  end

  def test_a_job_gives_way_after_max_iteration_runtime
    Sidekiq.default_configuration[:max_iteration_runtime] = 0
    assert_raises(Sidekiq::Job::Interrupted) { run_job }
    assert_empty DID.grep(Integer)
  ensure
    Sidekiq.default_configuration[:max_iteration_runtime] = nil
  end

  def test_the_handler_puts_the_same_job_back_and_counts_it_as_seen_to
    require "sidekiq/testing"
    payload = { "class" => StepsJob.name, "args" => [1, 6], "jid" => @jid, "queue" => "low", "created_at" => 5, "x" => [1] }
    # Another test may have left some.
    Sidekiq::Queues.clear_all
    Sidekiq::Testing.fake! do
      assert_raises(Sidekiq::JobRetry::Skip) { handle(payload) { raise Sidekiq::Job::Interrupted } }
    end
    pushed = Sidekiq::Queues["low"].first
    assert_equal payload.merge("retry" => true), pushed.reject { |field, _| field == "enqueued_at" }
    assert_raises(IOError) { handle(payload) { raise IOError } }
    assert_equal 1, Sidekiq::Queues["low"].size
  ensure
    Sidekiq::Queues.clear_all
    Sidekiq::Testing.disable!
  end

  def test_the_handler_alone_makes_no_other_job_go_through_the_chain
    require "mawashi/sidekiq_gem"
    chain = Sidekiq.default_configuration.server_middleware
    chain.clear
    assert_equal :none, Mawashi::SidekiqGem.new("").chain_use
    chain.add(Sidekiq::Job::InterruptHandler)
    assert_equal :interrupts, Mawashi::SidekiqGem.new("").chain_use
  ensure
    chain.clear
  end

  def handle(payload, &block)
    handler = Sidekiq::Job::InterruptHandler.new
    handler.config = Sidekiq.default_configuration
    handler.call(nil, payload, "low", &block)
  end
end
