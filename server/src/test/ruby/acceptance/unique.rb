# frozen_string_literal: true

# An app's process that enqueues jobs with locks. Obeys the lines of its standard input, one after the other, and answers
# each: `push CLASS WORD`, `in CLASS WORD` (ten minutes later), `free CLASS WORD` (without a lock), `bulk CLASS WORD...`,
# `race CLASS WORD` (eight threads at once), `same CLASS WORD` (what was stored, once more), `bad OPTIONS`,
# `jid CLASS WORD =JID` (the jid as in a URL).
require "uri"

if ENV["RELIABLE_FIRST"]
  require "mawashi/reliable_push"
  Sidekiq::Client.reliable_push!
end
require_relative "unique_app"

if ENV["RELIABLE"]
  require "mawashi/reliable_push"
  Sidekiq::Client.reliable_push!
end
$stdout.sync = true
options = { url: ENV.fetch("REDIS_URL") }
Sidekiq.configure_client { |config| config.redis = options }

def yes(jid)
  jid ? "yes" : "no"
end

def race(type, word)
  gate = Queue.new
  threads = Array.new(8) { Thread.new { gate.pop && type.perform_async(word) } }
  8.times { gate << true }
  threads.count(&:value)
end

# As the poller of a Sidekiq enqueues what it has taken out of the schedule.
def same(word)
  text = Sidekiq.redis { |redis| redis.call("ZRANGE", "schedule", 0, -1) }.find { |job| job.include?("[\"#{word}\"]") }
  Sidekiq.redis { |redis| redis.call("ZREM", "schedule", text) }
  yes(Sidekiq::Client.push(JSON.parse(text)))
end

def with_jid(type, word, jid)
  yes(Sidekiq::Client.push("class" => type, "args" => [word], "jid" => URI.decode_www_form_component(jid[1..-1])))
end

def obey(act, name, *words)
  type = Object.const_get(name)
  case act
  when "push" then yes(type.perform_async(*words))
  when "in" then yes(type.perform_in(600, *words))
  when "free" then yes(type.set("unique_for" => false).perform_async(*words))
  when "bulk" then Sidekiq::Client.push_bulk("class" => type, "args" => words.map { |word| [word] }).compact.size
  when "race" then race(type, *words)
  when "same" then same(*words)
  when "jid" then with_jid(type, *words)
  when "bad" then yes(type.set(JSON.parse(words.join)).perform_async("bad"))
  end
end

while (line = $stdin.gets)
  answer =
    begin
      obey(*line.split)
    rescue => e
      "#{e.class} #{e.message}"
    end
  puts "#{line.strip}: #{answer}"
end
