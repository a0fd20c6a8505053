# frozen_string_literal: true

# An app's process that enqueues whatever Redis does. Obeys the lines of its standard input, one after the other, and
# answers each: `push NAME`, `bad` (what JSON cannot hold), `later NAME` (in an hour), `bulk NAME COUNT`, `fork NAME`, `waiting`.
require "sidekiq"
require "mawashi/reliable_push"

Redis.sadd_returns_boolean = false if defined?(Redis)
$stdout.sync = true
options = { url: ENV.fetch("REDIS_URL") }
Sidekiq.configure_client { |config| config.redis = options }
Sidekiq::Client.reliable_push!

class KeptJob
  include Sidekiq::Job
end

def obey(act, name = nil, count = 0)
  case act
  when "push" then KeptJob.perform_async(name)
  when "bad" then KeptJob.perform_async("no UTF-8: \xff")
  when "later" then KeptJob.perform_in(3_600, name)
  when "bulk" then Sidekiq::Client.push_bulk("class" => KeptJob, "args" => Array.new(count.to_i) { |n| ["#{name}#{n}"] }).size
  when "fork"
    Process.wait(fork { KeptJob.perform_async(name) })
    $?.exitstatus
  when "waiting" then Mawashi::ReliablePush.waiting
  end
end

while (line = $stdin.gets)
  answer =
    begin
      obey(*line.split)
    rescue => e
      e.class
    end
  puts "#{line.strip}: #{answer}"
end
