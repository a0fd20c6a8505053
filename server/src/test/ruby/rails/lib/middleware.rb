# frozen_string_literal: true

# Notes what a handler is told of a job and its error.
module Told
  def self.note(step, job, error, *more)
    fields = job.values_at("queue", "retry", "retry_count", "error_class", "stamp")
    # Ruby 3.1 appends the line of source to some messages.
    message = error.message.scrub.lines.first.to_s[0, 60].strip
    Ledger.note(step, job["jid"], job["class"], *fields.map(&:inspect), error.class.name || "nameless", message, *more)
  end
end

# Outermost server middleware: sees each run begin and end, in clean surroundings.
class Around
  def initialize(word)
    @word = word
  end

  def call(job, payload, queue)
    Ledger.note("enter", payload["jid"], job.class, @word, queue, payload["stamp"], *surroundings)
    yield
    Ledger.note("leave", payload["jid"], job.class, *surroundings)
  rescue Exception => e # rubocop:disable Lint/RescueException -- notes all there is and passes it on
    Ledger.note("leave", payload["jid"], job.class, e.class.name || "nameless", *surroundings)
    raise
  end

  def surroundings
    [I18n.locale, Time.zone.name, Current.tenant.inspect]
  end
end

# Innermost server middleware: changes arguments, or keeps the job to itself.
class Inside < Around
  def call(job, payload, queue)
    Ledger.note("inside", payload["jid"], job.class, @word, queue, *surroundings)
    payload["args"] = ["swapped"] if payload["tags"] == ["swap"]
    yield unless payload["tags"] == ["swallow"]
  end
end

# Client middleware: marks what is enqueued, refuses some of it. On a retry Sidekiq calls it again.
class Stamp
  def call(_job_class, payload, queue, _pool)
    payload["stamp"] ||= "to-#{queue}"
    payload["tags"] != ["refuse"] && yield
  end
end
