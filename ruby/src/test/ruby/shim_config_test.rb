# frozen_string_literal: true

require "sidekiq"

# What the shipped API says of itself, and what it refuses.
class ShimConfigTest < Minitest::Test
  def setup
    @door = Mawashi::Native.instance_variable_get(:@enqueue)
    @is_in_server = Mawashi::Native.instance_variable_get(:@is_in_server)
    Mawashi::Native.instance_variable_set(:@is_in_server, false)
    @said = []
  end

  def teardown
    Mawashi::Native.connect(@door)
    Mawashi::Native.instance_variable_set(:@is_in_server, @is_in_server)
    Sidekiq.default_configuration.client_middleware.clear
    Sidekiq.instance_variable_set(:@default_job_options, nil)
  end

  def configure
    Sidekiq.configure_server { |config| @said << [:server, config.class] }
    Sidekiq.configure_client { |config| @said << [:client, config.class] }
  end

  def test_inside_a_server_the_server_is_configured_and_elsewhere_the_client
    Mawashi::Native.connect(->(_jobs) {})
    assert_predicate Sidekiq, :server?
    configure
    Mawashi::Native.connect(nil)
    refute_predicate Sidekiq, :server?
    configure

    assert_equal [[:server, Sidekiq::Config], [:client, Sidekiq::Config]], @said
    assert_match(/mawashi run/, assert_raises(Mawashi::Error) { Sidekiq.configure_embed }.message)
  end

  def test_the_process_that_loads_the_app_for_others_is_a_server_too
    Mawashi::Native.connect(nil)
    Mawashi::Native.enter_server
    configure

    assert_equal [[:server, Sidekiq::Config]], @said
  end

  class Includes
    include Sidekiq::ServerMiddleware

    def call(*)
      [config, logger, redis_pool]
    end
  end

  def test_middleware_that_includes_the_module_reaches_the_configuration
    assert_same Sidekiq::ServerMiddleware, Sidekiq::ClientMiddleware
    config = Sidekiq::Config.new
    config.server_middleware.add Includes

    assert_equal [config, Sidekiq.logger, config.redis_pool], config.server_middleware.invoke { flunk }
  end

  def test_what_is_not_shipped_says_so
    %w[api web].each do |name|
      error = assert_raises(LoadError) { require "sidekiq/#{name}" }
      assert_match(%r{sidekiq/#{name}\) is not part of what Mawashi ships: add gem "sidekiq"}, error.message)
    end
  end

  def test_sidekiqs_other_names_can_be_required
    %w[worker job client middleware/modules].each { |name| require "sidekiq/#{name}" }
    assert_operator Sidekiq::JobRetry::Skip, :<, Sidekiq::JobRetry::Handled
  end

  def test_active_jobs_are_no_job_classes_but_may_have_options
    fake = Class.new { def self.name = "ActiveJob::Base" }
    error = assert_raises(ArgumentError) { Class.new(fake) { include Sidekiq::Job } }
    assert_match(/cannot be included in an ActiveJob/, error.message)

    optioned = Class.new(fake) { include Sidekiq::Job::Options }
    optioned.sidekiq_options retry: 1
    assert_equal 1, optioned.get_sidekiq_options["retry"]
  end

  def test_testing_modes_by_name
    Sidekiq.testing!(:fake) { assert_predicate Sidekiq::Testing, :fake? }
    Sidekiq.testing!(:inline) { assert_predicate Sidekiq::Testing, :inline? }
    assert_raises(ArgumentError) { Sidekiq.testing!(:real) }
    Sidekiq.testing!(:disable)
    refute_predicate Sidekiq::Testing, :enabled?
  end

  def test_a_mode_with_a_block_is_its_threads_own
    Sidekiq.testing!(:fake) do
      Thread.new { refute_predicate Sidekiq::Testing, :fake? }.join
    end
  end

  class CommitJob
    include Sidekiq::Job
  end

  def test_jobs_wait_for_the_transaction_that_is_around_them
    assert_raises(Mawashi::Error) { Sidekiq.transactional_push! }
    jobs = []
    pending = []
    Mawashi::Native.connect(->(entries) { jobs.concat(entries) })
    record = Module.new { define_singleton_method(:after_all_transactions_commit) { |&block| pending << block } }
    Object.const_set(:ActiveRecord, record)
    Sidekiq.transactional_push!
    jid = CommitJob.perform_async(1)

    assert_empty jobs
    pending.each(&:call)
    job = JSON.parse(jobs.fetch(0)[1])
    assert_equal [jid, [1]], job.values_at("jid", "args")
    refute job.key?("client_class")
  ensure
    Object.send(:remove_const, :ActiveRecord) if Object.const_defined?(:ActiveRecord)
    Sidekiq::TransactionAwareClient.instance_variable_set(:@commits, nil) if defined?(Sidekiq::TransactionAwareClient)
  end
end
