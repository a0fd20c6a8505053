# frozen_string_literal: true

# What the jobs of the acceptance tests did: one line per step, in one file per process, outside the
# Redis under test. Each line is one write, so a `kill -9` loses none.
module Ledger
  FOLDER = ENV.fetch("LEDGER")
  FILES = {} # rubocop:disable Style/MutableConstant -- of each process that was forked since
  LOCK = Mutex.new
  LAG = ENV.fetch("TESTS_LAG", "0").to_f / 1_000 # up to so many seconds a job goes on later, one step in three
  LATE_MAX = 300 # steps of a process, so that thousands of jobs come to an end
  private_constant :FILES, :LOCK, :LAG, :LATE_MAX

  # @example
  #   Ledger.note("start", jid)
  def self.note(*words)
    late = LAG.positive? && rand(3).zero?
    LOCK.synchronize do
      late &&= (@steps = @steps.to_i + 1) < LATE_MAX
      file = FILES[Process.pid] ||= File.new(File.join(FOLDER, "#{Process.pid}.log"), "a")
      file.syswrite("#{words.join(' ')}\n")
    end
    sleep(rand * LAG) if late
  end

  # Waits until the test opens the gate, by making a file of that name.
  def self.pass(gate)
    sleep 0.02 until open?(gate)
  end

  # Whether the test has opened the gate.
  def self.open?(gate)
    File.exist?(File.join(FOLDER, "#{gate}.open"))
  end
end
