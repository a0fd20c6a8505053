# frozen_string_literal: true

# Fills the sets and queues as an app and its Sidekiq would, for an operator to act on.
require_relative "app"
require "sidekiq/api"

def job(jid, more = {})
  { "class" => "PlainJob", "args" => [jid, 1.5], "jid" => jid, "queue" => "low", "retry" => true,
    "created_at" => 1_795_225_600.25, "enqueued_at" => 1_795_225_601.5, **more }
end

def failed(jid)
  job(jid, "retry_count" => 3, "error_class" => "E", "error_message" => "no", "failed_at" => 1_795_225_602.5)
end

retries = Sidekiq::RetrySet.new
%w[retry1 retry2 bury1 bury2 stay1].each { |jid| retries.schedule(Time.now + 5_000, failed(jid)) }
dead = Sidekiq::DeadSet.new
%w[dead1 dead2 dead3].each { |jid| dead.kill(Sidekiq.dump_json(failed(jid)), notify_failure: false) }
scheduled = Sidekiq::ScheduledSet.new
%w[run1 later1].each { |jid| scheduled.schedule(Time.now + 5_000, job(jid).except("enqueued_at")) }
3.times { |n| Sidekiq::Client.push(job("gone#{n}", "queue" => "trash")) }
