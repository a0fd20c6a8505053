# frozen_string_literal: true

require_relative "sidekiq_cron_case"

# What the gem would enqueue, and what is enqueued here.
class SidekiqCronTest < SidekiqCronCase
  def test_redis_holds_what_the_gem_would_leave_there
    KINDS.each do |name, options|
      wanted, found = [method(:by_the_gem), ->(_) { poller.step }].map do |way|
        redis(&:flushdb)
        way.call(due(name, **options))
        stored
      end
      assert_equal wanted, found, name
      assert_operator wanted.size, :>=, 6, name
    end
    assert_empty @errors
  end

  def test_a_time_is_enqueued_once_by_pollers_and_the_gem
    gem = due("gem")
    by_the_gem(gem)
    due("ours")
    3.times { poller.step }
    assert_equal 2, queued.size
    # As another process that read the schedule before.
    call("HDEL", key("ours"), "last_enqueue_time")
    by_the_gem(find("ours"))
    assert_equal 2, queued.size
  end

  def test_two_pollers_at_the_same_moment_begin_to_enqueue_once
    due("same")
    begun = Queue.new
    gate = Queue.new
    Around.block = lambda do |_, push|
      begun << true
      gate.pop
      push.call
    end
    first = Thread.new { poller.step }
    begun.pop
    poller.step
    gate << true
    first.join
    assert_equal 1, queued.size
    assert_empty begun
  end

  def test_what_the_gem_has_not_due_is_not
    due("off", status: "disabled")
    due("old", cron: "#{(Time.now.utc - 1_800).min} * * * *")
    by_hand = due("by hand")
    by_hand.respond_to?(:enqueue!) ? by_hand.enqueue! : by_hand.enque!
    @poller.step
    assert_equal(1, queued.size)
    assert_equal [], call("ZRANGE", marks("old"), 0, -1) + call("ZRANGE", marks("off"), 0, -1)
  end

  def test_a_time_is_due_in_its_own_second
    job = due("sharp", cron: "* * * * *")
    day = Time.utc(2026, 11, 26, 12)
    moments = [59.9, 60, 60.3, 119.9, 120].map do |seconds|
      Mawashi::Cron::Tick.due(job, day + seconds).instance_variable_get(:@moment).min
    end
    assert_equal [0, 1, 1, 1, 2], moments
  end

  def test_each_time_comes_when_it_is_due
    { "seconds" => ["* * * * * *", 1], "minutes" => ["* * * * *", 60] }.each do |name, (line, apart)|
      start = clock = Time.now.utc
      due(name, cron: line)
      Time.stub(:now, ->(*) { clock }) do
        own = poller
        clock += own.step while clock < start + (6 * apart)
      end
      times = call("ZRANGE", marks(name), 0, -1).map { |text| Time.parse(text).to_i }
      assert_equal times.first.step(times.last, apart).to_a, times, name
      assert_operator times.size, :>=, 6
      find(name).destroy
    end
  end

  def test_changes_by_the_api_count_at_the_next_look
    job = due("changed", status: "disabled")
    Mawashi::Cron::Jobs.stub(:poll_seconds, 0) do
      @poller.step
      job.enable!
      call("DEL", marks("changed"))
      @poller.step
      assert_equal 1, queued.size
      job.destroy
      @poller.step
    end
    assert_equal [], call("KEYS", "cron_job*")
    assert_equal 1, queued.size
  end

  # In a child that is killed there.

  def killed(&block)
    pid = fork do
      trap("EXIT") { exit!(0) }
      block.call
      poller.step
    end
    _, status = Process.wait2(pid)
    assert_equal 9, status.termsig
    claims = call("KEYS", "mw:cron:claim:*")
    call("DEL", *claims) unless claims.empty?
  end

  def test_a_process_that_is_killed_leaves_the_job_with_its_mark_or_neither
    kill = -> { Process.kill(:KILL, Process.pid) }
    due("before")
    killed { Around.block = ->(_, _) { kill.call } }
    assert_equal [0, 0], [queued.size, call("ZCARD", marks("before"))]
    poller.step
    assert_equal [1, 1], [queued.size, call("ZCARD", marks("before"))]

    call("DEL", "queue:reports")
    due("after")
    killed { Around.block = ->(_, push) { push.call } and Sidekiq::Cron::Job.define_method(:save_last_enqueue_time, &kill) }
    assert_equal [1, 1], [queued.size, call("ZCARD", marks("after"))]
    poller.step
    by_the_gem(find("after"))
    assert_equal 1, queued.size
  end

  def test_the_interval_of_a_gem_before_its_options
    return if Sidekiq::Cron.respond_to?(:configuration)

    kept = Sidekiq.send(:remove_const, :Options) if defined?(Sidekiq::Options)
    options = Sidekiq.respond_to?(:[]) ? Sidekiq : Sidekiq.options
    options[:cron_poll_interval] = 7
    assert_equal 7, Mawashi::Cron::Jobs.poll_seconds
    options[:cron_poll_interval] = nil
    assert_equal 30, Mawashi::Cron::Jobs.poll_seconds
  ensure
    Sidekiq.const_set(:Options, kept) if kept
  end
end
