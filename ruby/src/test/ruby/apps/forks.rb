# frozen_string_literal: true

require_relative "children"
require "fiddle"
require "socket"

# The app of ForkIT, besides that of ChildrenIT.
at_exit { Told.add("exits", Process.pid) }

# Sees what earlier jobs of its process have left.
class CountingJob
  include Sidekiq::Job

  def perform
    $count = ($count || 0) + 1 # rubocop:disable Style/GlobalVars -- what must not last
    Told.add("counts", jid, $count) # rubocop:disable Style/GlobalVars
  end
end

# Ends its process before its time.
class DyingJob
  include Sidekiq::Job

  def perform(how)
    warn "the end is near"
    case how
    when "kill" then Process.kill(:KILL, Process.pid) && sleep
    when "segv" then Fiddle::Pointer.new(1)[0]
    when "exit!" then exit!(0)
    when "exit! 3" then exit!(3)
    when "exit" then exit(0)
    when "abort" then abort("no more")
    when "thread" then Thread.current.kill
    end
  end
end

# Runs until it is ended.
class SlowJob
  include Sidekiq::Job

  # @param how [String] "soft" lets itself be ended, "deaf" does not, "family" has a process of its own
  def perform(how)
    Told.add("began", jid, Process.pid)
    Told.add("offspring", spawn("sleep 600")) if how == "family"
    how == "soft" ? listen : stay
  end

  private

  def listen
    sleep
  ensure
    Told.add("ensured", jid)
  end

  def stay
    sleep
  rescue Exception # rubocop:disable Lint/RescueException -- it does not listen
    retry
  end
end

# Leaves a process behind that holds all that is open here.
class LeavingJob
  include Sidekiq::Job

  def perform(how)
    case how
    when "daemon" then Told.add("left", jid, fork { Process.setsid && sleep })
    when "group"
      Told.add("left", jid, spawn("sleep 600"))
      Process.kill(:KILL, Process.pid)
      sleep
    when "twin" then Told.add("left", jid, fork || 0)
    end
  end
end

class PrintingJob
  include Sidekiq::Job

  def perform(kind)
    case kind
    when "lines" then puts("one\ntwo") || (system("echo three") && $stderr.print("four"))
    when "garbage" then $stdout.write("\x00\xFF\xFE#{'x' * 300_000}\n\xE7")
    when "frames" then ObjectSpace.each_object(UNIXSocket) { |socket| socket.write("\xFF" * 100) rescue nil } && sleep
    end
  end
end

class BulkyJob
  include Sidekiq::Job

  def perform
    error = RuntimeError.new("m" * 1_000_000)
    error.set_backtrace(["b" * 2_000] * 1_000)
    raise error
  end
end

class EnqueuingJob
  include Sidekiq::Job

  def perform(queue, times, bytes)
    threads = Array.new(times) do |time|
      payload = { "class" => "TellJob", "args" => ["x" * bytes], "jid" => "#{jid}-#{time}" }
      Thread.new { Mawashi::Native.enqueue([[queue, Sidekiq.dump_json(payload), nil]]) }
    end
    threads.each(&:join)
  end
end

# Ends when it learns that the server is stopping.
class HeedingJob
  include Sidekiq::Job
  attr_accessor :_context

  def perform
    Told.add("began", jid, Process.pid)
    sleep 0.01 until _context.stopping?
    Told.add("told", jid)
  end
end

class PickyError < StandardError
  def initialize(one, two)
    super("#{one} #{two}")
  end
end

class ExhaustedJob
  include Sidekiq::Job
  sidekiq_retries_exhausted { |job, error| Told.add("exhausted", job["jid"], error.class, error.message) }

  def perform
    raise PickyError.new("not", "this")
  end
end
