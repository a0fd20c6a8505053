# frozen_string_literal: true

# Threads that wait, each for something else. Prints for each, again and again, a line: its
# name, then its calls, innermost first.
require "monitor"
require "net/http"
require "open3"
require "socket"
require "tempfile"

SERVER = TCPServer.new("127.0.0.1", 0)
PORT = SERVER.addr[1]
FULL = Queue.new
MONITOR = Monitor.new.tap(&:enter)
LOCK = Mutex.new.tap(&:lock)
FILE = Tempfile.new("lock").tap { |file| file.flock(File::LOCK_EX) }

WAITS = {
  "sleep" => -> { sleep },
  "lock" => -> { LOCK.lock },
  "synchronize" => -> { LOCK.synchronize { nil } },
  "monitor" => -> { MONITOR.synchronize { nil } },
  "pop" => -> { FULL.pop },
  "condition" => -> { Mutex.new.then { |lock| lock.synchronize { ConditionVariable.new.wait(lock) } } },
  "join" => -> { Thread.new { sleep }.join },
  "flock" => -> { File.open(FILE.path) { |file| file.flock(File::LOCK_EX) } },
  "gets" => -> { TCPSocket.new("127.0.0.1", PORT).gets },
  "readpartial" => -> { TCPSocket.new("127.0.0.1", PORT).readpartial(1) },
  "http" => -> { Net::HTTP.get(URI("http://127.0.0.1:#{PORT}/")) },
  "select" => -> { IO.select([IO.pipe.first]) },
  "write" => -> { TCPSocket.new("127.0.0.1", PORT).then { |socket| loop { socket.write("x" * 1_000_000) } } },
  "system" => -> { system("sleep 60") },
  "capture" => -> { Open3.capture3("sleep 60") }
}

# Holds the only connection of a pool, and adds a thread that wants it.
def starve(name, hold, wish)
  held = Queue.new
  Thread.new { hold.call { held << true && sleep } }
  held.pop
  WAITS[name] = wish
end

begin
  require "active_record"
  ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:", pool: 1, checkout_timeout: 60)
  pool = ActiveRecord::Base.connection_pool
  starve("active_record", ->(&work) { pool.with_connection(&work) }, -> { pool.with_connection { nil } })
rescue LoadError, StandardError => e
  warn "no ActiveRecord: #{e.message}"
end

begin
  require "sequel"
  base = Sequel.sqlite(max_connections: 1, pool_timeout: 60)
  starve("sequel", ->(&work) { base.synchronize(&work) }, -> { base.synchronize { nil } })
rescue LoadError, StandardError => e
  warn "no Sequel: #{e.message}"
end

begin
  require "connection_pool"
  own = ConnectionPool.new(size: 1, timeout: 60) { Object.new }
  starve("connection_pool", ->(&work) { own.with(&work) }, -> { own.with { nil } })
rescue LoadError => e
  warn "no connection_pool: #{e.message}"
end

threads = WAITS.transform_values { |wait| Thread.new(&wait) }
loop do
  threads.each { |name, thread| puts [name, *thread.backtrace].join("\t") }
  $stdout.flush
  sleep 0.2
end
