# frozen_string_literal: true

require "sidekiq"

# These tests are not about the log.
Sidekiq.logger.level = Logger::FATAL

# Job classes that record what they saw, for RubyRunnerTest and its neighbours.
module Seen
  LIST = Queue.new

  def self.take
    LIST.pop(true)
  end
end

class EchoJob
  include Sidekiq::Job

  def perform(*args)
    Seen::LIST << [jid, args]
  end
end

class NoopJob
  include Sidekiq::Job

  def perform(_number = nil, *); end
end

module Nested
  class DeepJob < EchoJob; end
end

class RaisingJob
  include Sidekiq::Job
  sidekiq_options retry: 3

  class BrokenMessage < StandardError
    def message = raise("no message for you")
  end

  class BinaryMessage < StandardError
    def message = "caf\xE9".b
  end

  class BrokenTrace < StandardError
    def backtrace = raise("no trace for you")
  end

  # Each kind of raise, by the name the test gives.
  KINDS = {
    "standard" => -> { raise ArgumentError, "wrong" },
    "exit" => -> { exit(3) },
    "exit!" => -> { exit!(3) },
    "abort" => -> { abort },
    "interrupt" => -> { raise Interrupt, "int" },
    "memory" => -> { raise NoMemoryError, "none left" },
    "throw" => -> { throw :x },
    "java" => -> { raise java.lang.IllegalStateException.new("from Java") },
    "kill" => -> { Thread.current.kill },
    "broken" => -> { raise BrokenMessage },
    "binary" => -> { raise BinaryMessage },
    "nil trace" => -> { raise(StandardError, "bare", nil) },
    "broken trace" => -> { raise BrokenTrace, "traceless" },
    "before" => -> { raise "began with #{$!.inspect}" },
    "thread" => -> { raise Thread.current.object_id.to_s },
    "ours" => -> { NoopJob.set(retry_for: Time.now.to_i).perform_async },
    "long" => -> { raise "x" * 50_000 },
    "far" => -> { raise(StandardError, "far", Array.new(1_500) { |line| "far.rb:#{line}" }) },
    "anonymous" => -> { raise Class.new(StandardError), "nameless" },
    "shutdown" => -> { raise Sidekiq::Shutdown },
    "caused" => lambda do
      raise Sidekiq::Shutdown
    rescue Interrupt
      raise "wrapped"
    end
  }.freeze

  def perform(kind)
    KINDS.fetch(kind).call
  end
end

class DeepStackJob
  include Sidekiq::Job

  def perform = perform
end

class CircularJob
  include Sidekiq::Job

  # Two errors, each of which says that the other caused it.
  class Circle < StandardError
    attr_accessor :cause
  end

  def perform
    one = Circle.new("one")
    one.cause = Circle.new("two").tap { |two| two.cause = one }
    raise one
  end
end

class RetryInJob
  include Sidekiq::Job
  sidekiq_options retry: 10
  sidekiq_retry_in do |count, error, job|
    case error.message
    when "delay" then 100 + count
    when "discard" then :discard
    when "kill" then :kill
    when "args" then job["args"].size
    when "failure"
      Seen::LIST << job.slice("retry", "queue", "error_class", "error_message", "retry_count", "failed_at", "retried_at")
      nil
    when "negative" then -5
    when "nan" then Float::NAN
    when "raise" then raise "in the block"
    end
  end

  def perform(word)
    raise word
  end
end

class NoRetryJob
  include Sidekiq::Job
  sidekiq_options retry: false
  sidekiq_retry_in { |*| Seen::LIST << :asked && 5 }

  def perform = raise("never again")
end

class SleepJob
  include Sidekiq::Job

  def perform
    Seen::LIST << :begun
    sleep
  end
end

class ReadJob
  include Sidekiq::Job

  def perform
    reader, _writer = IO.pipe
    Seen::LIST << :begun
    reader.read
  end
end

class WaitJob
  include Sidekiq::Job

  def perform
    Seen::LIST << :begun
    Queue.new.pop
  end
end

class BusyJob
  include Sidekiq::Job

  def perform
    Seen::LIST << :begun
    @count = 0
    @count += 1 while true # rubocop:disable Style/InfiniteLoop -- the point of it
  end
end

class DeafJob
  include Sidekiq::Job

  # Finishes although it was interrupted: the exception waits until the job is over.
  def perform
    Thread.handle_interrupt(Exception => :never) do
      Seen::LIST << :begun
      Seen::GATE.pop
    end
  end
end

Seen::GATE = Queue.new

# Hands out what no payload may reach.
class TrapJob
  include Sidekiq::Job

  def self.const_missing(_name) = NoopJob
end

class HookJob
  include Sidekiq::Job

  class << self
    attr_accessor :hook
  end

  def perform = self.class.hook.call
end

class LoopJob
  include Sidekiq::Job

  def perform
    left = 10_000
    left -= 1 while left.positive?
  end
end

class ShyJob
  include Sidekiq::Job

  private

  def perform; end
end

class NotAJob
  def perform; end
end

class OneArgumentJob
  include Sidekiq::Job

  def perform(one); end
end

# Has the module itself and not by way of `Sidekiq::IterableJob`.
class StepsJob
  include Sidekiq::Job
  include Sidekiq::Job::Iterable

  def build_enumerator(cursor:) = array_enumerator([1, 2], cursor: cursor)

  def each_iteration(_); end
end

# Is done in steps by means of its own.
class OwnStepsJob
  include Sidekiq::Job

  def perform = raise(Sidekiq::Job::Interrupted)
end
