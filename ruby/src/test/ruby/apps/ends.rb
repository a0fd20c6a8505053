# frozen_string_literal: true

require_relative "children"
require "fiddle"

# The app of ChildEndsIT: ways in which a process ends that runs jobs, each taken once.
module Ends
  WAYS = {
    "exit in a thread" => -> { Thread.new { exit(1) } },
    "exit well in a thread" => -> { Thread.new { exit } },
    "abort in a thread" => -> { Thread.new { abort("enough") } },
    "an error in a thread" => lambda {
      Thread.new do
        Thread.current.report_on_exception = false
        Thread.current.abort_on_exception = true
        raise "background"
      end
    },
    "an error without a message" => -> { Thread.main.raise(Class.new(StandardError) { def message = raise("none") }) },
    "an error in the main thread" => -> { Thread.main.raise(ArgumentError, "main") },
    "an exit in the main thread" => -> { Thread.main.raise(SystemExit) },
    "the end of the main thread" => -> { Thread.new { Thread.main.kill } },
    "no memory" => -> { Thread.main.raise(NoMemoryError) },
    "a stop of another" => -> { Thread.main.raise(Sidekiq::Shutdown) },
    "a signal's exception" => -> { Thread.main.raise(SignalException, "TERM") },
    "a signal" => -> { by_signal("DEFAULT") },
    "a handler that exits" => -> { by_signal(-> { exit(2) }) },
    "a handler that raises" => -> { by_signal(-> { raise "in a handler" }) },
    "a handler for the end that takes long" => -> { at_exit { sleep } && Thread.new { exit } },
    "a handler for the end that ends threads" => lambda {
      at_exit { (Thread.list - [Thread.current]).each(&:kill).each(&:join) }
      Thread.new { exit }
    },
    "exit at once" => -> { exit!(0) },
    "exec" => -> { exec("true") },
    "no link" => -> { ObjectSpace.each_object(UNIXSocket) { |socket| socket.close unless socket.closed? } },
    "SIGKILL" => -> { Process.kill(:KILL, Process.pid) },
    "SIGABRT" => -> { Process.kill(:ABRT, Process.pid) },
    "SIGSEGV" => -> { Fiddle::Pointer.new(1)[0] }
  }.freeze

  class << self
    def by_signal(handler)
      trap("USR2", handler == "DEFAULT" ? handler : proc { handler.call })
      Process.kill(:USR2, Process.pid)
    end

    # @return [Boolean] false when this process was to go on, since one has ended in this way before
    def take(way, whose)
      File.open(File.join(Told::FOLDER, "ended by #{whose}: #{way}"), File::WRONLY | File::CREAT | File::EXCL).close
      WAYS.fetch(way).call
      true
    rescue Errno::EEXIST
      false
    end
  end
end

# Ends its process, the first time.
class CulpritJob
  include Sidekiq::Job

  def perform(way)
    sleep if Ends.take(way, "a job")
  end
end

# Ends the threads of all jobs but its own.
class KillerJob
  include Sidekiq::Job

  def perform(way)
    others = Thread.list - [Thread.current, Thread.main]
    others.each { |thread| thread.public_send(way) }
    # Those that end have others in their place, which begin what was given back.
    others.each(&:join)
  end
end

# Runs until a gate opens, and makes much of being ended before.
class InnocentJob
  include Sidekiq::Job

  def perform(gate, how)
    Told.add("began", jid, Process.pid)
    Told.pass(gate)
    Told.add("told", jid)
    is_done = true
  ensure
    raise "not done" if how == "raises" && !is_done
    return if how == "returns" # rubocop:disable Lint/EnsureReturn -- as jobs do
  end
end

Sidekiq.configure_server do |config|
  config.on(:heartbeat) do
    way = File.join(Told::FOLDER, "way")
    Ends.take(File.read(way), "a block") if File.exist?(way)
  end
end
