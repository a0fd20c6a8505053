# frozen_string_literal: true

require "logger"
require "sidekiq"
require "mawashi/backlog"
require "minitest/autorun"
require "stringio"
require "timeout"

class BacklogTest < Minitest::Test
  LIMIT_SECONDS = 30

  # As Redis does not answer.
  class Away < StandardError; end

  def setup
    @is_away = true
    @is_refused = true
    @sent = Queue.new
    @log = StringIO.new
    @backlog = Mawashi::Backlog.new(->(error) { error.is_a?(Away) }, Logger.new(@log))
  end

  def push(name)
    @backlog.push([{ "jid" => name }]) do |jobs|
      raise Away, "no Redis" if @is_away
      raise "WRONGTYPE" if @is_refused && name.start_with?("odd")

      jobs.each { |job| @sent << job["jid"] }
    end
  end

  def sent
    Timeout.timeout(LIMIT_SECONDS) { @sent.pop }
  end

  def test_a_job_that_is_refused_holds_up_no_other
    %w[one odd two odd2 three].each { |name| push(name) }
    @is_away = false
    assert_equal %w[one two three], Array.new(3) { sent }
    push("four")
    assert_equal "four", sent
    assert_equal 2, @backlog.size
    @is_refused = false
    assert_equal %w[odd odd2], Array.new(2) { sent }
    assert_equal 1, @log.string.scan("Redis refuses a kept job, which is tried again: WRONGTYPE").size
  end

  def test_the_app_hears_of_a_refusal_while_others_are_tried_again
    %w[odd one].each { |name| push(name) }
    @is_away = false
    assert_equal "one", sent
    @backlog.leave
    assert_equal "WRONGTYPE", assert_raises(RuntimeError) { push("odd") }.message
    assert_includes @log.string, "kept jobs that could not be enqueued and are lost: 1 (WRONGTYPE)"
  end

  def test_when_redis_is_away_again_jobs_wait_behind_those_refused
    %w[odd one].each { |name| push(name) }
    @is_away = false
    assert_equal "one", sent
    @backlog.leave
    @is_away = true
    %w[two three].each { |name| push(name) }
    @is_away = @is_refused = false
    assert_equal %w[odd two three], Array.new(3) { sent }
    assert_equal 2, @log.string.scan("Redis does not answer").size
  end
end
