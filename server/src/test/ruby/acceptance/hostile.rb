# frozen_string_literal: true

# Jobs that do what a job should not, one method each. What they leave behind must not reach others.
require_relative "app"
require "fileutils"
require "tempfile"
require "timeout"

Sidekiq.configure_server do |config|
  config.on(:startup) { raise "not yet" if Ledger.open?("shut") }
end

class HostileJob
  include Noted

  class NoMessage < StandardError
    def message
      raise "no message"
    end
  end

  class NilMessage < StandardError
    def message = nil
  end

  class BareError < StandardError
    def backtrace = nil
  end

  LOCK = Mutex.new

  def perform(kind, *args)
    Ledger.note("start", jid, self.class)
    send(kind, *args)
    Ledger.note("end", jid, self.class)
  end

  def raises_standard = raise(ArgumentError, "wrong")
  def raises_exception = raise(Exception, "top") # rubocop:disable Lint/RaiseException
  def raises_system_exit = raise(SystemExit)
  def raises_interrupt = raise(Interrupt)
  def raises_no_memory = raise(NoMemoryError, "none left")
  def raises_signal = raise(SignalException, "TERM")
  def message_raises = raise(NoMessage)
  def message_nil = raise(NilMessage)
  def message_binary = raise("caf\xE9\0".b)
  def message_long = raise("x" * 10_000_000)
  def no_backtrace = raise(BareError, "bare")

  def causes_in_a_circle
    raise "first"
  rescue StandardError => e
    begin
      raise "second"
    rescue StandardError => other
      raise e, cause: other
    end
  end

  def exits = exit(3)
  def exits_well = exit
  def exits_at_once = exit!(4)
  def exits_at_once_well = exit!(0)
  def aborts = abort("enough")

  def at_exit_exits
    at_exit { exit!(9) }
  end

  def throws = throw(:x)
  def returns_from_proc = make_proc.call
  def make_proc = proc { return 1 }
  def kills_thread = Thread.current.kill
  def kills_all_threads = Thread.list.each(&:kill)

  def thread_raises_later
    Thread.new do
      Thread.current.report_on_exception = false
      Thread.current.abort_on_exception = true
      sleep 0.05
      raise "later"
    end
    sleep 0.2
  end

  def thread_exits_later
    Thread.new { sleep(0.05) && exit(5) }
    sleep 0.2
  end

  def times_out
    Timeout.timeout(0.05) { sleep 10 }
  end

  # What the end is to be cleaned up by must not be cut short, nor a lock stay held.
  def times_out_in_ensure
    Timeout.timeout(0.05) do
      sleep 10
    ensure
      sleep 0.1
      @cleaned = true
    end
  rescue Timeout::Error
    raise @cleaned ? ArgumentError : "not cleaned up"
  end

  def times_out_in_lock
    lock = Mutex.new
    lock.synchronize { Timeout.timeout(0.05) { sleep 10 } }
  rescue Timeout::Error
    raise lock.locked? ? "still locked" : ArgumentError
  end

  def recurses = recurses

  # These go on until a limit ends them.
  def sleeps = sleep
  def stops_thread = Thread.stop
  def spins = loop { 1 }
  def waits_for_input = IO.pipe.first.read
  def selects = IO.select(IO.pipe.first(1))

  # In the engine for regular expressions, which the back reference keeps from remembering its ways.
  def matches_for_ever = (/\A(a|a)*\1!\z/ =~ "#{'a' * 60}!b")

  def waits_for_lock
    held = Tempfile.create("hostile")
    held.flock(File::LOCK_EX)
    File.open(held.path) { |other| other.flock(File::LOCK_EX) }
  end

  # More than the limit of a child. Random bytes, since pages of zeros may cost nothing.
  def takes_memory
    taken = Array.new(40) { Random.bytes(10_000_000) }
    sleep
    taken.size
  end

  # What the operating system does with an `ulimit -v`. What earlier jobs have left would make room meanwhile.
  def takes_memory_that_is_not_there
    before = Process.getrlimit(:AS)
    GC.start
    present = Integer(File.read("/proc/self/statm").split.first) * 4096
    Process.setrlimit(:AS, present + 100_000_000, before.last)
    Array.new(20) { "x" * 10_000_000 }
  ensure
    Process.setrlimit(:AS, *before)
  end

  # The control group lets it have so much and no more.
  def eats_memory(group)
    File.write(group, Process.pid.to_s)
    eaten = []
    loop { eaten << Random.bytes(1_000_000) }
  end

  def forks_for_ever(group)
    File.write(group, Process.pid.to_s)
    loop { fork { sleep } }
  end

  def changes_args(list)
    list[0].replace("changed")
    list << "more"
    raise "changed"
  end

  def changes_the_world
    $stdout = File.open(File::NULL, "w")
    $0 = "hostile"
    ENV["HOSTILE"] = "1"
    ENV["TZ"] = "Asia/Tokyo"
    Dir.chdir("/")
    srand(1)
    trap("TERM") { exit!(1) }
    trap("INT") { exit!(1) }
    Encoding.default_internal = Encoding::UTF_16LE if RUBY_ENGINE == "ruby"
  end

  def closes_files
    (3..255).each do |number|
      IO.for_fd(number).close
    rescue SystemCallError, ArgumentError
      # Not open, or Ruby's own.
    end
    sleep 5
  end

  def forks
    pid = fork { exit!(0) }
    Process.wait(pid)
  end

  def double_forks
    pid = fork do
      fork { sleep 3 }
      exit!(0)
    end
    Process.wait(pid)
  end

  def forks_many
    pids = Array.new(30) { fork { sleep 0.2; exit!(0) } }
    pids.each { |pid| Process.wait(pid) }
  end

  # Both go on from here as if they were the one that was begun.
  def forks_and_goes_on
    sleep 0.3 unless fork
  end

  def becomes_another = exec("true")
  def daemonises = Process.daemon
  def segfaults
    Process.kill(:SEGV, Process.pid)
    sleep 5
  end

  # As a bug in foreign code would, into whatever is open.
  def writes_garbage
    warn "garbage"
    (3..63).each do |number|
      IO.for_fd(number, "w", autoclose: false).syswrite("\x00\x00\xFFgarbage!" * 4)
    rescue SystemCallError, ArgumentError, IOError
      # Not open, or not for writing.
    end
    sleep 5
  end

  def kills_parent = system("kill -9 #{Process.ppid}")

  def patches
    String.class_eval { def hostile = self }
    Time.singleton_class.send(:define_method, :now) { Time.at(0) }
  end

  # Of a shared process these spoil what comes after, under Sidekiq too.
  def patches_json
    %i[parse generate dump load].each do |name|
      JSON.singleton_class.send(:define_method, name) { |*| raise "no JSON" }
    end
  end

  def disables_gc
    GC.disable
    100_000.times { Object.new }
  ensure
    GC.enable
  end

  def stresses_gc
    GC.stress = true
    50.times { Object.new }
  ensure
    GC.stress = false
  end

  def walks_object_space
    ObjectSpace.each_object(Class) { |found| found.name }
    ObjectSpace.garbage_collect
  end

  def makes_symbols = 100_000.times { |number| "hostile#{number}".to_sym }

  # Longer than the lease of its server, which is renewed meanwhile.
  def outlives_lease = sleep(5)

  def leaks = 50.times { Tempfile.create("hostile") }
  def enqueues_many = 2_000.times { PlainJob.perform_async(1) }

  def returns_circle
    list = []
    list << list
    list
  end

  def prints_much
    20.times { $stdout.print("x" * 1_000_000) }
    $stdout.puts
    $stderr.write("\xFF\xFE\0\n".b)
  end

  def defines_constants
    Object.const_set("Hostile#{rand(1 << 60)}", Class.new)
    self.class.class_eval { def again = 1 }
  end

  def locks_itself_out
    LOCK.synchronize { LOCK.synchronize { 1 } }
  end

  # Of the process that JRuby runs in nothing is left then. With an open gate it is no longer tried.
  def ends_server(gate, how)
    return if Ledger.open?(gate)

    case how
    when "exit" then java.lang.System.exit(7)
    when "memory" then (taken ||= []) << ("x" * 10_000_000) while true
    end
  end

  # As one of the server's own threads ends for which the system has no other thread, or no memory
  # outside the heap: the JVM goes on then.
  def ends_server_thread
    thread = java.lang.Thread.new { raise java.lang.OutOfMemoryError.new("unable to create native thread") }
    thread.name = "mawashi-recover-2"
    thread.start
    thread.join
  end

  def java_throws = raise(java.lang.IllegalStateException.new("from Java"))
end

class ArityJob < HostileJob
  def perform(one, two); end
end

class PrivateJob < HostileJob
  private

  def perform(*); end
end

class NoPerformJob
  include Sidekiq::Job
end


class MissingPerformJob < NoPerformJob
  def method_missing(name, *)
    name == :perform ? Ledger.note("end", jid, self.class) : super
  end

  def respond_to_missing?(name, all = false)
    name == :perform || super
  end
end

module NotAJob
  def self.perform(*) = Ledger.note("end", "never", "NotAJob")
end

class NotAJobEither
  def perform(*) = Ledger.note("end", "never", "NotAJobEither")
end
