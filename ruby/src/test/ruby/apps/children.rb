# frozen_string_literal: true

require "sidekiq"
require "mawashi/fast_io"

# The app of ChildrenIT and ChildDeathsIT: its jobs tell what they did in files, one line each.
module Told
  FOLDER = ENV.fetch("TOLD")

  def self.add(name, *words)
    File.open(File.join(FOLDER, name), "a") { |file| file.syswrite("#{words.join(' ')}\n") }
  end

  def self.began_here
    File.readlines(File.join(FOLDER, "began")).count { |line| line.end_with?(" #{Process.pid}\n") }
  end

  def self.pass(gate)
    sleep 0.01 until File.exist?(File.join(FOLDER, "#{gate}.open"))
  end
end

Sidekiq.configure_server do |config|
  %i[startup heartbeat quiet shutdown].each do |event|
    config.on(event) { Told.add("events", event, Process.pid) }
  end
  # As in an app that has much to do before its first job.
  config.on(:startup) { sleep 0.3 if File.exist?(File.join(Told::FOLDER, "slow.open")) }
  config.error_handlers << ->(error, context, *) { Told.add("errors", context.dig(:job, "jid"), error.class) }
  config.death_handlers << ->(job, error) { Told.add("deaths", job["jid"], error.class, error.message) }
end

class NoopJob
  include Sidekiq::Job

  def perform(*); end
end

class TellJob
  include Sidekiq::Job

  def perform(*words)
    Told.add("told", jid, Process.pid, *words)
  end
end

# Takes a moment.
class NapJob
  include Sidekiq::Job

  def perform(*)
    Told.add("told", jid, Process.pid)
    sleep 0.05
  end
end

# Enqueues a job and tells what came of it.
class EnqueuingJob
  include Sidekiq::Job

  def perform(queue)
    Told.add("asking", jid)
    payload = {"class" => "NoopJob", "args" => [], "jid" => "of_#{jid}"}
    Mawashi::Native.enqueue([[queue, Sidekiq.dump_json(payload), nil]])
    Told.add("stored", jid)
  rescue Mawashi::Error => e
    Told.add("refused", jid, e.message)
  end
end

class SizeJob
  include Sidekiq::Job

  def perform(text)
    Told.add("sizes", text.bytesize)
  end
end

# Enqueues so many jobs of so many bytes at once.
class BulkJob
  include Sidekiq::Job

  def perform(count, bytes)
    payload = Sidekiq.dump_json("class" => "SizeJob", "args" => ["x" * bytes], "jid" => "of_#{jid}")
    Mawashi::Native.enqueue([["q", payload, nil]] * count)
  rescue Mawashi::Error => e
    Told.add("refused", jid, e.message)
  end
end

class GateJob
  include Sidekiq::Job

  def perform(gate)
    Told.add("began", jid, Process.pid)
    Told.pass(gate)
    Told.add("told", jid, Process.pid)
  rescue Sidekiq::Shutdown
    Told.add("cut", jid)
    raise
  end
end

# Sends its own process signals, as gems do that watch its memory.
class SignallingJob
  include Sidekiq::Job

  def perform(*signals)
    Told.add("began", jid, Process.pid)
    signals.each { |signal| Process.kill(signal, $$) } # rubocop:disable Style/SpecialGlobalVars -- as they do
    Told.add("told", jid, Process.pid)
  end
end

# Lets no other thread of its process run until the gate is open, or for a minute.
class HogJob
  include Sidekiq::Job

  def perform(gate)
    require "fiddle"
    system = Fiddle::Handle::DEFAULT["system"]
    Fiddle::Function.new(system, [Fiddle::TYPE_VOIDP], Fiddle::TYPE_INT, need_gvl: true).call(<<~SHELL)
      cd "#{Told::FOLDER}"; echo #{jid} >>began; i=0
      until [ -e #{gate}.open ] || [ $i = 1200 ]; do sleep 0.05; i=$((i + 1)); done
    SHELL
  end
end

# Goes on whatever is raised in it.
class DeafJob
  include Sidekiq::Job

  def perform
    Told.add("began", jid, Process.pid)
    Thread.handle_interrupt(Exception => :never) { sleep }
  end
end

# Uses so many megabytes, for a while.
class GreedyJob
  include Sidekiq::Job

  def perform(megabytes)
    @kept = "x" * (megabytes << 20)
    sleep
  end
end

# Ends well and takes its process with it before anybody is told.
class LastActJob
  include Sidekiq::Job

  def perform
    Told.add("began", jid, Process.pid)
    Mawashi::Children::Outcomes.prepend(Module.new { def flush = Process.kill(:KILL, Process.pid) })
  end
end

# Fails and takes its process with it before anybody is told.
class LastFailureJob
  include Sidekiq::Job

  def perform
    pid = Process.pid
    Mawashi::Children::Outcomes.prepend(Module.new { define_method(:problem) { |*| Process.kill(:KILL, pid) } })
    raise "failed"
  end
end

class RaisingJob
  include Sidekiq::Job

  def perform(kind)
    case kind
    when "standard" then raise ArgumentError, "wrong"
    when "exit" then exit(3)
    when "throw" then throw :x
    when "kill" then Thread.current.kill
    when "binary" then raise "caf\xE9".b
    when "deep" then perform(kind)
    end
  end
end

# Takes its process with it.
class CrashJob
  include Sidekiq::Job

  # Lets so many other jobs begin in this process first, if they come within a second.
  def perform(how, others = 0)
    Told.add("began", jid, Process.pid)
    100.times { Told.began_here > others ? break : sleep(0.01) }
    warn "about to go"
    how == "exit" ? exit!(7) : Process.kill(:KILL, Process.pid)
    sleep 5
  end
end

# Forks, and both go on as if they were the one that was begun.
class CopyJob
  include Sidekiq::Job

  def perform(gate)
    copy = fork or return
    Process.wait(copy)
    Told.add("copied", copy)
    Told.pass(gate)
    Told.add("told", jid, Process.pid)
  end
end

# Whose last failure takes until a gate opens to be decided.
class LastWordJob
  include Sidekiq::Job
  sidekiq_retries_exhausted do |job, _error|
    Told.add("asked", job["jid"])
    Told.pass("word")
  end

  def perform
    Process.kill(:KILL, Process.pid)
    sleep 5
  end
end

# What its log lines know of it.
class LoggingJob
  include Sidekiq::Job

  def perform
    Sidekiq.logger.warn("in the middle")
  end
end
