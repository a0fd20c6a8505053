# frozen_string_literal: true

require "minitest/mock"
require "mawashi/resque/cron/poller"
require_relative "../apps/resque_scheduler"

# The schedules of an app with resque-scheduler, in a real Redis. REDIS_URL names a Redis that may be emptied.
class ResqueCronCase < Minitest::Test
  Resque::DataStore.prepend(Mawashi::Resque::Cron::Sending)
  LOCK = "app:app:resque_scheduler_master_lock"
  MARKS = "mw:{app}:cron"
  SECOND = { "cron" => "* * * * * *", "class" => "ResqueCronCase::Report" }.freeze

  class Report
    @queue = :reports
  end

  # A hook that raises, keeps the job out, or does what the test wants.
  class Hooked < Report
    @queue = :hooked
    class << self
      attr_accessor :hook

      def before_enqueue_test(*)
        hook.call
      end
    end
  end

  class Custom
    def self.scheduled(queue, name, *args)
      Resque.push("#{queue}_custom", class: name, args: args)
      Resque.push("more", class: name, args: [])
    end
  end

  # Redis's clock cannot be set, so that of the lock is.
  class Lock < Mawashi::Resque::Cron::MasterLock
    class << self
      attr_accessor :now
    end

    def take
      word = super
      @now = Lock.now || @now
      word
    end
  end

  def setup
    call("FLUSHDB")
    connection = Resque::Connection.new { |words| Sidekiq.redis { |redis| redis.call(*words) } }
    Resque.redis = Resque::DataStore.new(connection, "app")
    Resque.schedule = {}
    Resque::Scheduler.dynamic = nil
    Resque::Scheduler.env = "test"
    @failed = []
    failed = @failed
    Resque::Scheduler.failure_handler = Object.new.tap do |handler|
      handler.define_singleton_method(:on_enqueue_failure) { |_, error| failed << error.message }
    end
    @log = StringIO.new
    @level = Sidekiq.logger.level
    Sidekiq.logger.level = Logger::INFO
    Sidekiq.logger.reopen(@log)
    Lock.now = 1_700_000_000_500
    @firing = firing
  end

  def teardown
    Sidekiq.logger.reopen($stdout)
    Sidekiq.logger.level = @level
  end

  def firing
    Mawashi::Resque::Cron::Firing.new(Lock.new)
  end

  def call(*words)
    Sidekiq.redis { |redis| redis.call(*words.map(&:to_s)) }
  end

  def queued(name = "reports")
    call("LRANGE", "app:queue:#{name}", 0, -1)
  end

  def runs(name)
    call("LRANGE", "mw:cron:runs:app:#{name}", 0, -1).map { |text| JSON.parse(text).fetch("outcome") }
  end

  def later(millis)
    Lock.now += millis
    @firing.step
  end

  def listed
    JSON.parse(call("GET", "mw:cron:resque:app"))
  end

  def said
    @log.string.scan(/resque-scheduler: (\w+):/).flatten
  end
end
