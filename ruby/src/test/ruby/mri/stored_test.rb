# frozen_string_literal: true

require "mawashi/redis_driver"

# What arrives in a real Redis, by the app's own Redis library. The same from Sidekiq and from what Mawashi ships
# but for the form of times. REDIS_URL names a Redis that may be emptied.
class StoredTest < Minitest::Test
  class AddJob
    include Sidekiq::Job
    sidekiq_options queue: "sums", retry: 4

    def perform(*); end
  end

  # The pool of another database.
  class Elsewhere
    def with
      yield @connection ||= Mawashi::RedisDriver.open(url: ENV.fetch("REDIS_URL").sub(%r{/\d+\z}, "/1"))
    end
  end

  TIME = /\d{10}(?:\.\d+|\d{3})/.freeze

  def setup
    redis(&:flushdb)
  end

  def redis(&block)
    Sidekiq.redis(&block)
  end

  # Times and ids differ from run to run.
  def plain(text)
    text.gsub(/"(created_at|enqueued_at)":#{TIME}(?=[,}])/, '"\1":T').gsub(/"jid":"\h{24}"/, '"jid":"J"')
  end

  def queue(name)
    redis { |connection| connection.lrange("queue:#{name}", 0, -1) }.map { |text| plain(text) }
  end

  def scheduled
    redis { |connection| connection.zrange("schedule", 0, -1) }.map { |text| plain(text) }
  end

  def scheduled_times
    redis { |connection| connection.zrange("schedule", 0, -1).map { |text| Float(connection.zscore("schedule", text)) } }
  end

  def test_a_job_is_stored_byte_for_byte
    AddJob.perform_async(1, "xé</a>", { "k" => [1.5, 1e20, 12_345_678_901_234_567_890, nil, true] })

    assert_equal ['{"retry":4,"queue":"sums","args":[1,"xé</a>",{"k":[1.5,1.0e+20,' \
                  '12345678901234567890,null,true]}],"class":"StoredTest::AddJob","jid":"J","created_at":T,"enqueued_at":T}'],
                 queue("sums")
    assert_equal ["sums"], redis { |connection| connection.smembers("queues") }
  end

  def test_a_scheduled_job_is_stored_without_its_time
    due = Time.now.to_f + 1_000.25
    AddJob.perform_at(due, 1)

    assert_equal ['{"retry":4,"queue":"sums","class":"StoredTest::AddJob","args":[1],"jid":"J","created_at":T}'], scheduled
    assert_in_delta due, scheduled_times[0], 0.001
    assert_empty redis { |connection| connection.smembers("queues") }
  end

  def test_the_first_of_a_bulk_is_the_next_to_run
    AddJob.perform_bulk([[1], [2], [3]])
    tail = redis { |connection| connection.lindex("queue:sums", -1) }

    assert_equal [1], JSON.parse(tail)["args"]
    assert_equal 3, queue("sums").size
  end

  def test_a_bulk_for_later_is_stored_with_its_times
    due = Time.now.to_f + 1_000
    Sidekiq::Client.push_bulk("class" => AddJob, "args" => [[1], [2]], "at" => [due, due + 1])

    assert_in_delta due, scheduled_times.first, 0.001
    assert_in_delta due + 1, scheduled_times.last, 0.001
    assert_equal 2, scheduled.size
  end

  def test_another_pool_gets_what_it_is_named_for
    elsewhere = Elsewhere.new
    elsewhere.with(&:flushdb)
    Sidekiq::Client.via(elsewhere) { AddJob.perform_async(1) }
    Sidekiq::Client.new(elsewhere).push("class" => AddJob, "args" => [2])

    assert_equal 2, (elsewhere.with { |connection| connection.llen("queue:sums") })
    assert_empty queue("sums")
  end
end
