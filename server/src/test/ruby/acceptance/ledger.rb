# frozen_string_literal: true

# What the jobs of the acceptance tests did: one line a step, in one file a process, outside the
# Redis under test. Each line is one write, so a `kill -9` loses none.
module Ledger
  FOLDER = ENV.fetch("LEDGER")
  FILE = File.new(File.join(FOLDER, "#{Process.pid}.log"), "a")
  LOCK = Mutex.new
  private_constant :FILE, :LOCK

  # @example
  #   Ledger.note("start", jid)
  def self.note(*words)
    LOCK.synchronize { FILE.syswrite("#{words.join(' ')}\n") }
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
