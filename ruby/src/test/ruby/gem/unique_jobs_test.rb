# frozen_string_literal: true

require "mawashi/redis_driver"

# Reapers of the form that sidekiq-unique-jobs 7 and 8 have; no Debian has the gem. Its own were tried by hand, see
# docs/guide/differences.md.
module SidekiqUniqueJobs
  module Orphans
    class Reaper
      attr_reader :conn

      def initialize(conn)
        @conn = conn
      end
    end

    class RubyReaper < Reaper
      class << self
        attr_accessor :digests, :found, :looked
      end

      def call
        orphans
      end

      def orphans
        self.class.digests.reject { |digest| belongs_to_job?(digest) }
      end

      def belongs_to_job?(digest)
        self.class.looked&.call(digest)
        self.class.found.include?(digest)
      end
    end

    class LuaReaper < Reaper
      def call
        raise "its script looks by itself"
      end
    end
  end
end
require "mawashi/unique_jobs"

# What is in hand is no orphan. REDIS_URL names a Redis that may be emptied.
class UniqueJobsTest < Minitest::Test
  OWNER = "host:1:abc#0"
  PLACE = "mw:{queue:a:b}:"
  REAPER = SidekiqUniqueJobs::Orphans::RubyReaper
  private_constant :OWNER, :PLACE, :REAPER

  def setup
    call("FLUSHDB")
    REAPER.digests = %w[u:1 u:2 u:3]
    REAPER.found = []
    REAPER.looked = nil
  end

  def call(*command)
    Sidekiq.redis { |connection| connection.call(*command) }
  end

  # A server that has claimed of a queue.
  def lease
    call("SADD", "mw:queues", "a:b")
    call("ZADD", "#{PLACE}leases", "5", OWNER)
  end

  def payload(digest, field = "lock_digest")
    JSON.generate("class" => "A", "args" => [], field => digest)
  end

  def claim(*payloads)
    lease
    payloads.each_with_index { |text, i| call("HSET", "#{PLACE}inflight:#{OWNER}", i.to_s, text) }
  end

  def orphans
    REAPER.new(nil).call
  end

  def test_without_servers_all_are_orphans
    assert_equal %w[u:1 u:2 u:3], orphans
  end

  def test_claimed_jobs_keep_their_locks
    claim(payload("u:2"), payload("u:3:RUN"))
    call("HSET", "#{PLACE}inflight:#{OWNER}", "floor", "7")
    assert_equal %w[u:1], orphans
  end

  def test_a_lock_of_the_run_belongs_to_the_job_too
    REAPER.digests = %w[u:1:RUN u:2:RUN]
    claim(payload("u:1"))
    assert_equal %w[u:2:RUN], orphans
  end

  def test_arrivals_and_suspects_keep_theirs
    lease
    call("LPUSH", "#{PLACE}arrivals:#{OWNER}", payload("u:1"))
    call("LPUSH", "#{PLACE}suspects", payload("u:3", "unique_digest"))
    assert_equal %w[u:2], orphans
  end

  def test_many_jobs_and_what_is_no_job_are_read
    claim(*Array.new(1_000) { |i| payload("other:#{i}" * 10) }, payload("u:2"), "{", "7", payload("u:1"))
    assert_equal %w[u:3], orphans
  end

  def test_a_job_that_went_on_meanwhile_is_found_where_it_is_now
    # The reaper looks for each before and after the look at what is in hand.
    REAPER.looked = ->(digest) { REAPER.found << digest if digest == "u:2" && (@seen = @seen.to_i + 1) == 2 }
    assert_equal %w[u:1 u:3], orphans
  end

  def test_a_job_that_was_claimed_meanwhile_is_found_in_hand
    REAPER.looked = ->(digest) { claim(payload("u:3")) if digest == "u:1" && (@seen = @seen.to_i + 1) == 2 }
    assert_equal %w[u:1 u:2], orphans
  end

  def test_the_reaper_in_lua_gives_way
    claim(payload("u:2"))
    assert_equal %w[u:1 u:3], SidekiqUniqueJobs::Orphans::LuaReaper.new(nil).call
  end

  def test_guarding_twice_changes_nothing
    before = REAPER.ancestors
    Mawashi::UniqueJobs.guard
    assert_equal before, REAPER.ancestors
  end

  def test_a_reaper_of_another_form_is_named
    SidekiqUniqueJobs::Orphans.send(:remove_const, :RubyReaper)
    log = StringIO.new
    before = Sidekiq.logger.level
    Sidekiq.logger.level = Logger::WARN
    Sidekiq.logger.reopen(log)
    Mawashi::UniqueJobs.guard
    assert_match(/sidekiq-unique-jobs: its reaper is not of a known form .*config\.reaper = :none/, log.string)
  ensure
    Sidekiq.logger.reopen($stdout)
    Sidekiq.logger.level = before
    SidekiqUniqueJobs::Orphans.const_set(:RubyReaper, REAPER)
  end
end
