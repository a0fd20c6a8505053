# frozen_string_literal: true

require "mawashi/cron/marks"
require "mawashi/cron/notes"
require "mawashi/redis_driver"
require "mawashi/resque/cron/listing"
require "mawashi/resque/cron/marks"
require "mawashi/resque/cron/master_lock"
require "mawashi/scheduler_gem"
require "securerandom"

# The scripts of gems' schedules with each key of another type, and with each of their commands refused: a call that
# fails has changed nothing. REDIS_URL names a Redis that may be emptied.
class CronScriptsTest < Minitest::Test
  # A script, its keys and words, and the commands that lead to a state in which it changes something.
  Trial = Struct.new(:script, :keys, :words, :start)

  def self.script(type, name)
    type.const_get(name)
  end

  STRINGS = %w[lock claim last text].freeze
  LAST = %w[a pulse {"tick":2} 2 {"outcome":"enqueued"} 20 60 60 now reports {}].freeze
  DECIDE_KEYS = %w[lock marks runs last queues queue:reports].freeze
  TRIALS = {
    claim: Trial.new(Mawashi::Cron::Marks::CLAIM, %w[marks claim], %w[1 1000], []),
    mark: Trial.new(Mawashi::Cron::Marks::MARK, %w[marks], %w[1 1], []),
    mark_job: Trial.new(Mawashi::Cron::Marks::MARK, %w[marks queues queue:work], %w[1 1 work {}], []),
    replace: Trial.new(script(Mawashi::Cron::Notes, :REPLACE), %w[notes], %w[a b], [%w[LPUSH notes a]]),
    decide: Trial.new(script(Mawashi::Resque::Cron::Marks, :DECIDE), DECIDE_KEYS.first(4), LAST.first(9), [%w[SET lock a]]),
    decide_job: Trial.new(script(Mawashi::Resque::Cron::Marks, :DECIDE), DECIDE_KEYS, LAST, [%w[SET lock a]]),
    take: Trial.new(script(Mawashi::Resque::Cron::MasterLock, :TAKE), %w[lock], %w[a 15000], []),
    keep: Trial.new(script(Mawashi::Resque::Cron::MasterLock, :TAKE), %w[lock], %w[a 15000], [%w[SET lock a EX 1]]),
    leave: Trial.new(script(Mawashi::Resque::Cron::MasterLock, :LEAVE), %w[lock], %w[a], [%w[SET lock a]]),
    publish: Trial.new(script(Mawashi::Resque::Cron::Listing, :PUBLISH), %w[places text], %w[app [] 90], []),
    register: Trial.new(script(Mawashi::SchedulerGem::Marks, :REGISTER), %w[marks last], %w[5 60 0 a 0], []),
    register_period: Trial.new(script(Mawashi::SchedulerGem::Marks, :REGISTER), %w[marks last], %w[5 60 2 a 0], [])
  }.freeze

  def setup
    @user = "user#{SecureRandom.hex(4)}"
  end

  def teardown
    call("ACL", "DELUSER", @user)
  end

  def call(*words)
    Sidekiq.redis { |connection| connection.call(*words.map(&:to_s)) }
  end

  # What there is, without when it ends: a call that fails may have read the clock.
  def everything
    call("KEYS", "*").sort.to_h { |key| [key, [call("DUMP", key), call("TTL", key)]] }
  end

  def commands(script)
    script.scan(/(?:redis\.call|need)\('(\w+)'/).flatten.map(&:downcase).uniq
  end

  def begin_at(trial, odd = nil)
    call("FLUSHDB")
    trial.start.each { |words| call(*words) }
    return unless odd

    call("DEL", odd)
    call(*(STRINGS.include?(odd) ? ["RPUSH", odd, "odd"] : ["SET", odd, "odd"]))
  end

  # @return [Boolean] whether it failed
  def fails?(trial)
    before = everything
    yield
    false
  rescue StandardError => e
    assert_equal before, everything, "#{e.message} of #{trial.keys}"
    true
  end

  def run_as_limited(trial, refused)
    call("ACL", "SETUSER", @user, "reset", "on", "nopass", "~*", "+@all", "-#{refused}")
    Sidekiq.redis do |connection|
      connection.call("AUTH", @user, "any")
      connection.call("EVAL", trial.script, trial.keys.size, *trial.keys, *trial.words)
    ensure
      connection.call("AUTH", "default", "any")
    end
  end

  TRIALS.each do |name, trial|
    define_method("test_#{name}_with_a_key_of_another_type") do
      trial.keys.each do |odd|
        begin_at(trial, odd)
        failed = fails?(trial) { call("EVAL", trial.script, trial.keys.size, *trial.keys, *trial.words) }
        # A SET takes a key of any type.
        assert failed || %w[claim text last].include?(odd), "#{odd} of #{name}"
      end
    end

    define_method("test_#{name}_with_a_command_refused") do
      commands(trial.script).each do |refused|
        begin_at(trial)
        fails?(trial) { run_as_limited(trial, refused) }
      end
      begin_at(trial)
      before = everything
      call("EVAL", trial.script, trial.keys.size, *trial.keys, *trial.words)
      refute_equal before, everything
    end
  end
end
