# frozen_string_literal: true

require "active_job"
require "sidekiq-cron"
require "mawashi/cron/poller"
require "mawashi/redis_driver"
require "mawashi/unique"
require "minitest/mock"

# The schedules of the gem sidekiq-cron, as it wrote them into a real Redis. REDIS_URL names a Redis that may be emptied.
class SidekiqCronCase < Minitest::Test
  Sidekiq::Enterprise.unique!
  Mawashi::GemClient.install([])
  Sidekiq::Client.prepend(Mawashi::Cron::Sending)
  ActiveJob::Base.queue_adapter = :sidekiq
  ActiveJob::Base.logger = nil
  Sidekiq.logger.level = Logger::FATAL
  # Debian's redis gem is newer than its sidekiq gem, and warns of that with each push.
  Redis.sadd_returns_boolean = false if defined?(Redis) && Redis.respond_to?(:sadd_returns_boolean=)

  class Report
    include Sidekiq::Job
    sidekiq_options queue: "reports", retry: 3, tags: %w[nightly]
  end

  class Once
    include Sidekiq::Job
    sidekiq_options queue: "reports", unique_for: 600
  end

  class Mail < ActiveJob::Base
    queue_as :mails
    def perform(*); end
  end

  class Inline < ActiveJob::Base
    self.queue_adapter = :inline
    class << self
      attr_accessor :marks
    end

    def perform
      Inline.marks << Sidekiq.redis { |connection| connection.zcard(Sidekiq::Cron::Job.job_enqueued_key("inline")) }
    end
  end

  # Client middleware that does what the test wants.
  class Around
    class << self
      attr_accessor :block
    end

    def call(_type, job, _queue, _pool, &push)
      Around.block ? Around.block.call(job, push) : push.call
    end
  end
  Sidekiq.configure_client { |config| config.client_middleware { |chain| chain.add(Around) } }

  KINDS = {
    "plain" => { "class" => Report.name },
    "with args" => { "class" => Report.name, "args" => [1, { "a" => "é" }] },
    "other queue" => { "class" => Report.name, "queue" => "low" },
    "dated" => { "class" => Report.name, "args" => ["x"], "date_as_argument" => true },
    "unknown" => { "class" => "NoSuchJob", "queue" => "low", "args" => { "k" => 1 } },
    "active job" => { "class" => Mail.name, "args" => ["x"], "queue" => "mails" },
    "symbols" => { "class" => Mail.name, "args" => [{ "k" => 1 }], "symbolize_args" => true, "active_job" => true },
    "unknown active job" => { "class" => "NoSuchMail", "active_job" => true, "queue" => "low", "queue_name_prefix" => "app" }
  }.freeze

  def setup
    redis(&:flushdb)
    Around.block = nil
    Inline.marks = []
    @errors = []
    @poller = poller
  end

  # It is there for the tests of others too.
  def teardown
    Around.block = nil
  end

  def poller
    Mawashi::Cron::Poller.new(->(error, context) { @errors << "#{context[:context]}: #{error.message}" })
  end

  def redis(&block)
    Sidekiq.redis(&block)
  end

  def call(*command)
    redis { |connection| connection.call(*command) }
  end

  # A schedule whose last time is due, since nobody has noted it: two seconds ago, and not again today.
  def due(name, **options)
    line = (Time.now.utc - 2).strftime("%-S %-M %-H * * *")
    hash = { "name" => name, "cron" => line, "class" => Report.name }.merge(options.transform_keys(&:to_s))
    assert Sidekiq::Cron::Job.create(hash), hash
    call("DEL", marks(name))
    find(name)
  end

  def find(name)
    Sidekiq::Cron::Job.find(name)
  end

  def marks(name)
    Sidekiq::Cron::Job.job_enqueued_key(name)
  end

  def key(name)
    Sidekiq::Cron::Job.redis_key(name)
  end

  def by_the_gem(job)
    job.respond_to?(:enqueue!) ? job.test_and_enqueue_for_time!(Time.now.utc) : job.test_and_enque_for_time!(Time.now.utc)
  end

  def queued(queue = "reports")
    call("LRANGE", "queue:#{queue}", 0, -1).map { |text| JSON.parse(text) }
  end

  # All that Redis holds, but for times and ids.
  def stored
    call("KEYS", "*").grep_v(/\Amw:/).sort.map { |key| [key, plain(value(key).inspect)] }
  end

  def value(key)
    case call("TYPE", key)
    when "hash" then redis { |connection| connection.hgetall(key).sort }
    when "list" then call("LRANGE", key, 0, -1)
    when "zset" then call("ZRANGE", key, 0, -1)
    when "set" then call("SMEMBERS", key).sort
    end
  end

  def plain(text)
    text.gsub(/\h{24}/, "ID").gsub(/\h{8}(-\h{4}){3}-\h{12}/, "UUID").gsub(/"\d+ \d+ \d+ \* \* \*"/, "LINE")
        .gsub(/\d{4}-\d\d-\d\d[T ][\d:.]+( UTC| \+0000|Z)/, "TIME").gsub(/\b\d{10}(\.\d+|\d{3})/, "SECONDS")
  end
end
