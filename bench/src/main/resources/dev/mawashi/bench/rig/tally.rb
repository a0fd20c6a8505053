# frozen_string_literal: true

# Counts what the jobs did, apart from Redis, at the same small cost on every Ruby: each thread adds
# to a number of its own, and one thread sums them up and appends `<time in ns> <jobs done>` to a
# file of this process. The harness reads those files.
module Tally
  SECONDS = 0.025

  @counts = []
  @lock = Mutex.new

  class << self
    # Called by each job when it has run.
    def add
      (Thread.current[:tally] || enter)[0] += 1
    end

    # Called first by jobs that take their time: work begins then and not at the end of the first one.
    def enter
      Thread.current[:tally] ||= begin
        count = [0]
        @lock.synchronize { @counts << count }
        write
        count
      end
    end

    def start(folder)
      @file = open_file(folder)
      Thread.new { loop { sleep(SECONDS) && write } }
      at_exit { write }
    end

    # Where each job has a process of its own, called in the one that forks: each job appends a line
    # `<time in ns> +1` to the file that it inherits, in one write.
    def start_each(folder)
      file = open_file(folder)
      define_singleton_method(:enter) { nil }
      define_singleton_method(:add) { file.write("#{now} +1\n") }
    end

    # How many fibers have counted something.
    def fibers
      @lock.synchronize { @counts.size }
    end

    private

    def open_file(folder)
      File.open(File.join(folder, "#{Process.pid}.tally"), "a").tap { |file| file.sync = true }
    end

    # The time is taken after the sum: by then at least so many were done.
    def write
      @lock.synchronize do
        done = @counts.sum { |count| count[0] }
        next if @counts.empty? || done == @written

        @file.write("#{now} #{done}\n")
        @written = done
      end
    end

    def now
      Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)
    end
  end
end

Tally.start_each(ENV.fetch("BENCH_TALLY")) if ENV["BENCH_EACH"]
