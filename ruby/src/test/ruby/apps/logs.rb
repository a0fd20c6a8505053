# frozen_string_literal: true

# An app that keeps what it logs, as JSON, for RubyJobLogTest. It runs with the gem and without.

require "json"

LOGGED = Queue.new

# A log device.
class Kept
  def write(line)
    LOGGED << JSON.parse(line)
  end

  def close; end
end

# What was logged since the last call: severity, message, and of the context what does not change
# from run to run.
def logged
  Array.new(LOGGED.size) { LOGGED.pop }.map do |line|
    context = (line["ctx"] || {}).except("elapsed", "job", "context").compact.sort.map { |key, value| "#{key}=#{Array(value).join(",")}" }
    [line["lvl"], line["msg"].lines.first.to_s.chomp, *context].join(" ")
  end.join("\n")
end

# 6.x keeps its settings in Sidekiq itself.
CONFIG = Sidekiq.respond_to?(:default_configuration) ? Sidekiq.default_configuration : Sidekiq
OPTIONS = CONFIG.respond_to?(:[]=) ? CONFIG : Sidekiq.options

CONFIG.logger = Sidekiq::Logger.new(Kept.new, level: Logger::INFO)
Sidekiq.logger.formatter = Sidekiq::Logger::Formatters::JSON.new

# Has a logger write to a pipe, in one of the forms that Sidekiq brings, and error handlers say nothing.
def write_plainly(form)
  @kept = [CONFIG.logger, CONFIG.error_handlers.dup]
  @written, to = IO.pipe
  CONFIG.error_handlers.clear
  CONFIG.logger = Sidekiq::Logger.new(to, level: Logger::INFO)
  CONFIG.logger.formatter = Sidekiq::Logger::Formatters.const_get(form).new
end

def write_as_before
  CONFIG.logger = @kept.first
  CONFIG.error_handlers.replace(@kept.last)
end

# What was written there since the last call, without what changes from run to run.
def written
  text = @written.read_nonblock(100_000, exception: false)
  text.to_s.gsub(/20\d\d-[^Z]+Z/, "TIME").gsub(/(elapsed"?[=:])[\d.]+/, '\\1SECONDS')
end

# What Sidekiq's own job logger would have written of a job that does as the block does.
def sidekiqs(gem, payload)
  job = JSON.parse(payload)
  logger = gem.new_job_logger(Sidekiq::JobLogger)
  logger.prepare(job) { logger.call(job, "low") { LogJob.new.perform(*job["args"]) } }
rescue RuntimeError
  nil
ensure
  Thread.current[:sidekiq_context] = nil
end

TOLD = Queue.new
Sidekiq.configure_server do |config|
  config.error_handlers << ->(error, context) { TOLD << [error.class, error.message, context[:context], context[:jobstr]] }
end

class LogJob
  include Sidekiq::Job

  def perform(word = nil)
    raise "told to" if word == "raise"
    return if word.nil?

    logger.warn(word)
    Sidekiq::Context.with(step: 2) { logger.warn("within") } if word == "with"
    Sidekiq::Context.add(:left, "behind") if word == "add"
  end
end

class DeepJob
  include Sidekiq::Job

  def perform(depth = 0) = perform(depth + 1)
end

# Changes what the middleware after it and the job logger see.
class Retag
  def call(_job, payload, _queue)
    payload["args"] = ["from middleware"]
    yield
  end
end

# An app's own.
class OwnJobLogger < Sidekiq::JobLogger
  def call(job, queue)
    Sidekiq.logger.error("own #{job["jid"]} #{queue}")
    yield
  end
end
