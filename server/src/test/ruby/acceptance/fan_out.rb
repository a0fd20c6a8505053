# frozen_string_literal: true

# The app of FanOutIT: jobs that enqueue jobs, in every way that the gem has.
require "sidekiq"
require_relative "ledger"

class MarkClient
  def call(_job_class, payload, _queue, _pool)
    payload["marked"] = true
    payload["args"] == ["stopped"] ? nil : yield
  end
end

Sidekiq.configure_server do |config|
  config.redis = {url: ENV["OTHER_REDIS"]} if ENV["OTHER_REDIS"]
  config.client_middleware { |chain| chain.add MarkClient }
  config.on(:startup) do
    LeafJob.set(queue: "startup").perform_async("startup")
    # Nobody hears a child's server yet, so this went by the gem's own connection.
    Sidekiq.redis(&:close)
  end
end

class LeafJob
  include Sidekiq::Worker

  def perform(name)
    Ledger.note("leaf", name)
  end
end

class SpreadJob
  include Sidekiq::Worker

  def perform(name)
    jids = 10.times.map { |n| LeafJob.perform_async("#{name}-#{n}") }
    Ledger.note("jids", jids.compact.uniq.size)
    LeafJob.perform_async("stopped")
    LeafJob.perform_in(3600, "#{name}-later")
    Sidekiq::Client.push_bulk("class" => LeafJob, "args" => [["#{name}-a"], ["#{name}-b"]])
    LeafJob.set(queue: "kept").perform_async("#{name}-kept")
  end
end

class RefusedJob
  include Sidekiq::Worker

  # From Sidekiq 7 on.
  REDIS_ERROR = defined?(Sidekiq::RedisClientAdapter) ? RedisClient::Error : Redis::BaseError

  def perform
    LeafJob.set(queue: "no_list").perform_async("lost")
  rescue REDIS_ERROR => e
    Ledger.note("refused", e.message)
  end
end

class ElsewhereJob
  include Sidekiq::Worker

  def perform(url)
    Sidekiq::Client.via(Sidekiq::RedisConnection.create(url: url)) { LeafJob.perform_async("elsewhere") }
    Ledger.note("elsewhere", Process.pid)
  end
end

class ForkingJob
  include Sidekiq::Worker

  def perform
    Process.wait(fork { LeafJob.perform_async("forked") && exit!(0) })
  end
end
