# frozen_string_literal: true

# What a server needs to see to for iterable jobs, for a Sidekiq that has none: a job that asks whether it is
# interrupted, keeps in Redis where it is, and raises; and a middleware that enqueues it again.
module Resumed
  class Sidekiq::Job::Interrupted < RuntimeError; end

  # Enqueues the job again, and tells the server that this is all.
  class Handler
    def call(_job, payload, _queue)
      yield
    rescue Sidekiq::Job::Interrupted
      Sidekiq::Client.new.push(payload)
      raise Sidekiq::JobRetry::Skip
    end
  end

  def self.included(job_class)
    job_class.include(Sidekiq::Job)
    job_class.attr_accessor(:_context)
  end

  def array_enumerator(array, cursor:)
    array.each_with_index.drop(cursor)
  end

  def perform(*args)
    state = Sidekiq.redis { |redis| redis.hgetall("it-#{jid}") }
    on_resume unless state.empty?
    build_enumerator(*args, cursor: state["c"].to_i).each do |item, cursor|
      keep(cursor, state["ex"].to_i + 1) if _context.stopping?
      each_iteration(item, *args)
    end
    Sidekiq.redis { |redis| redis.del("it-#{jid}") }
    on_complete
  end

  def keep(cursor, runs)
    Sidekiq.redis { |redis| redis.hset("it-#{jid}", "c", cursor, "ex", runs) }
    raise Sidekiq::Job::Interrupted
  end
end
