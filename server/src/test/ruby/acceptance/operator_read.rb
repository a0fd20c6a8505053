# frozen_string_literal: true

# Prints what Sidekiq's API reads after an operator acted.
require_relative "app"
require "sidekiq/api"

def line(place, job)
  times = %w[created_at enqueued_at failed_at].map { |field| job[field].class }
  puts [place, job.jid, job.klass, job.args.inspect, job["retry_count"].inspect, job["error_class"].inspect, *times].join(" ")
end

Sidekiq::Queue.all.each do |queue|
  puts "queue #{queue.name} #{queue.size} #{queue.latency.between?(0, 600)}"
  queue.each { |job| line(queue.name, job) }
end
{ "retry" => Sidekiq::RetrySet, "dead" => Sidekiq::DeadSet, "scheduled" => Sidekiq::ScheduledSet }.each do |name, set|
  set.new.each { |entry| line(name, entry) }
end
Sidekiq::ScheduledSet.new.each { |entry| puts "due #{entry.jid} #{entry.at.to_f}" }
fresh = Sidekiq::DeadSet.new.select { |entry| (Time.now - entry.at).between?(0, 600) }
puts "died now #{fresh.map(&:jid).sort.join(' ')}"
# Sidekiq finds an entry to reschedule by the bytes that it writes anew: they are still those.
Sidekiq::RetrySet.new.find_job("stay1").reschedule(Time.at(2_000_000_000))
puts "retry #{Sidekiq::RetrySet.new.size} #{Sidekiq::RetrySet.new.find_job('stay1').at.to_i}"
