# frozen_string_literal: true

# Jobs that make their process ill. Each goes on until the process ends.
require_relative "app"

# Holds the only connection of a pool. Further ones wait for it.
class StarvedJob
  include Sidekiq::Job

  def self.pool
    require "connection_pool"
    @pool ||= ConnectionPool.new(size: 1, timeout: 3_600) { Object.new }
  end

  POOL = RUBY_ENGINE == "ruby" ? pool : nil

  def perform
    POOL.with { sleep }
  end
end

# Starts threads that never end, twenty per second.
class LeakThreadsJob
  include Sidekiq::Job

  def perform
    3_000.times do
      Thread.new { sleep }
      sleep 0.05
    end
  end
end

# Keeps another 10 MB each second.
class LeakMemoryJob
  include Sidekiq::Job

  KEPT = []

  def perform
    1_000.times do
      KEPT << ("x" * 1_000_000)
      sleep 0.1
    end
  end
end

# Fills the heap of a JVM, but for a part that lets it live.
class FillHeapJob
  include Sidekiq::Job

  KEPT = []
  PART = 0.85
  BYTES = 65_536

  def perform
    java = Java::JavaLang::Runtime.runtime
    Java::JavaLang::System.gc
    room = (PART * java.max_memory) - (java.total_memory - java.free_memory)
    (room / BYTES).to_i.times { KEPT << ("x" * BYTES) }
    Java::JavaLang::System.gc
    sleep
  end
end

# Takes one lock, waits until another job has the other, and takes that.
class DeadlockJob
  include Noted

  LOCKS = { "left" => Mutex.new, "right" => Mutex.new }.freeze

  def perform(first, second)
    noted do
      LOCKS[first].synchronize do
        sleep 0.01 until LOCKS[second].locked?
        LOCKS[second].synchronize {}
      end
    end
  end
end
