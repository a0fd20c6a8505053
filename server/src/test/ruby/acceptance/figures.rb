# frozen_string_literal: true

# Prints what Sidekiq's own API reads: one line a fact, equal ones counted.
require_relative "app"
require "sidekiq/api"

def fields(entry)
  %w[retry_count error_class error_message].map { |field| entry[field].inspect } +
    %w[failed_at retried_at created_at].map { |field| entry[field].class } +
    [entry.queue, entry.tags.inspect, entry.error_backtrace&.size.inspect]
end

def tell(name, entries)
  puts "#{name} #{entries.size}"
  entries.tally.sort.each { |entry, count| puts "#{name} #{count} x #{entry}" }
end

stats = Sidekiq::Stats.new
%i[processed failed enqueued scheduled_size retry_size dead_size workers_size processes_size].each do |figure|
  puts "stats #{figure} #{stats.public_send(figure)}"
end
Sidekiq::Queue.all.each { |queue| puts "queue #{queue.name} #{queue.size}" }
tell("scheduled", Sidekiq::ScheduledSet.new.map { |entry| "#{entry.klass} #{entry.args} #{entry['at'].inspect}" })
tell("retry", Sidekiq::RetrySet.new.map { |entry| [entry.klass, *fields(entry)].join(" ") })
tell("dead", Sidekiq::DeadSet.new.map { |entry| [entry.klass, *fields(entry)].join(" ") })
tell("process", Sidekiq::ProcessSet.new.map do |process|
  [process["pid"], process["concurrency"], process["busy"], process["queues"], process.stopping?, process.tag].join(" ")
end)
tell("work", Sidekiq::Workers.new.map do |_process, _thread, work|
  # From 7 on it is no Hash, and its payload a JSON text.
  fields = work.is_a?(Hash) ? work : work.instance_variable_get(:@hsh)
  job = Sidekiq::JobRecord.new(fields["payload"])
  [fields["queue"], fields["run_at"].class, job.klass, job.args].join(" ")
end)
