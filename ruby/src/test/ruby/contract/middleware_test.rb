# frozen_string_literal: true

require "sidekiq/testing"

Sidekiq::Testing.disable!

# Both middleware chains. The same on Sidekiq and on what Mawashi ships.
class MiddlewareContract < Minitest::Test
  SEEN = []

  class Note
    def initialize(word = name)
      @word = word
    end

    def name
      self.class.name.split("::").last
    end

    def call(*)
      SEEN << @word
      yield
    ensure
      SEEN << "#{@word} ends"
    end
  end

  class Other < Note; end
  class Third < Note; end

  class Forgets
    def call(*); end
  end

  class Twice
    def call(*)
      yield
      yield
    end
  end

  class AddsArgument
    def call(_job, payload, *)
      payload["args"] << "added"
      payload["extra"] = { "by" => "middleware" }
      yield
    end
  end

  class PlainJob
    include Sidekiq::Job

    def perform(*args)
      SEEN << args
    end
  end

  def setup
    SEEN.clear
    @chain = Sidekiq::Middleware::Chain.new
    Sidekiq::Testing.fake!
    Sidekiq::Job.clear_all
  end

  def teardown
    Sidekiq::Testing.disable!
    Sidekiq::Testing.server_middleware.clear
    client_middleware.clear
  end

  # 6.x keeps its chains in Sidekiq itself.
  def client_middleware
    (Sidekiq.respond_to?(:default_configuration) ? Sidekiq.default_configuration : Sidekiq).client_middleware
  end

  def names
    @chain.entries.map { |entry| entry.klass.name.split("::").last }
  end

  def test_middleware_wraps_in_the_order_it_was_added
    @chain.add Note, "outer"
    @chain.add Other

    assert_equal :result, @chain.invoke(1, 2) { SEEN << "job" and :result }
    assert_equal ["outer", "Other", "job", "Other ends", "outer ends"], SEEN
  end

  def test_each_call_gets_new_instances
    counting = Class.new do
      def call(*)
        @count = (@count || 0) + 1
        SEEN << @count
        yield
      end
    end
    @chain.add counting
    2.times { @chain.invoke { nil } }

    assert_equal [1, 1], SEEN
    assert_instance_of counting, @chain.retrieve.first
  end

  def test_the_chain_can_be_arranged
    @chain.add Note
    @chain.add Other
    assert_equal %w[Note Other], names
    @chain.add Note, "again"
    assert_equal %w[Other Note], names
    @chain.prepend Third
    assert_equal %w[Third Other Note], names
    @chain.insert_before Note, Forgets
    @chain.insert_after Third, Twice
    assert_equal %w[Third Twice Other Forgets Note], names
    @chain.insert_before PlainJob, AddsArgument
    assert_equal "AddsArgument", names.first
    @chain.remove AddsArgument
    @chain.insert_after PlainJob, AddsArgument
    assert_equal "AddsArgument", names.last
    assert @chain.exists?(Forgets)
    refute @chain.exists?(PlainJob)
    @chain.clear
    assert_empty @chain
  end

  def test_inserting_what_is_there_moves_it_as_it_was_made
    @chain.add Note, "first words"
    @chain.add Other
    @chain.insert_after Other, Note, "second words"
    assert_equal %w[Other Note], names
    @chain.insert_before Other, Note, "third words"
    assert_equal %w[Note Other], names
    @chain.invoke { nil }

    assert_equal "first words", SEEN.first
  end

  def test_a_chain_is_enumerable_and_its_copy_is_its_own
    @chain.add Note
    copy = @chain.respond_to?(:copy_for) ? @chain.copy_for(nil) : @chain.dup
    copy.add Other

    assert_equal 1, @chain.count
    assert_equal [Note, Other], copy.map(&:klass)
  end

  def test_a_middleware_that_forgets_to_yield_ends_the_job_without_running_it
    Sidekiq::Testing.server_middleware { |chain| chain.add Forgets }
    PlainJob.perform_async
    PlainJob.drain

    assert_empty SEEN
    assert_empty PlainJob.jobs
  end

  def test_a_middleware_that_yields_twice_runs_the_job_twice
    Sidekiq::Testing.server_middleware { |chain| chain.add Twice }
    PlainJob.perform_async(1)
    PlainJob.drain

    assert_equal [[1], [1]], SEEN
  end

  def test_a_middleware_may_change_the_arguments
    Sidekiq::Testing.server_middleware { |chain| chain.add AddsArgument }
    PlainJob.perform_async(1)
    PlainJob.drain

    assert_equal [[1, "added"]], SEEN
  end

  def test_what_a_middleware_raises_comes_through_the_others
    raising = Class.new { define_method(:call) { |*| raise IOError, "no" } }
    @chain.add Note
    @chain.add raising

    assert_raises(IOError) { @chain.invoke { SEEN << "job" } }
    assert_equal ["Note", "Note ends"], SEEN
  end

  class Asks
    def call(job_class, payload, queue, pool)
      SEEN << [job_class, payload["class"], queue, pool.respond_to?(:with)]
      yield
    end
  end

  def test_client_middleware_sees_class_payload_queue_and_pool
    client_middleware.add Asks
    PlainJob.set(queue: "low").perform_async
    Sidekiq::Client.push("class" => PlainJob.name, "args" => [])
    PlainJob.perform_bulk([[1]])

    assert_equal [[PlainJob, PlainJob.name, "low", true], [PlainJob.name, PlainJob.name, "default", true],
                  [PlainJob, PlainJob.name, "default", true]], SEEN
  end

  def test_client_middleware_may_change_the_payload
    client_middleware.add AddsArgument
    PlainJob.perform_async(1)

    assert_equal [[1, "added"], { "by" => "middleware" }], PlainJob.jobs.first.values_at("args", "extra")
  end

  def test_client_middleware_may_stop_a_push
    client_middleware.add Note
    client_middleware.add Forgets

    assert_nil PlainJob.perform_async
    assert_empty PlainJob.jobs
    assert_equal ["Note", "Note ends"], SEEN
  end
end
