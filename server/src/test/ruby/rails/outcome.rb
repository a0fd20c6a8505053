# frozen_string_literal: true

# Prints what the app noted and what Redis holds, so that it is the same whenever and by whomever the
# same jobs were run: times, random delays and new ids are replaced by words.
require "base64"
require "json"
require "redis"
require "zlib"

FOLDER = ENV.fetch("LEDGER")
REDIS = Redis.new(url: ENV.fetch("REDIS_URL"))
KNOWN = File.readlines(File.join(FOLDER, "jids"), chomp: true)
NEW_ID = /\b(?:[0-9a-f]{24}|\h{8}-\h{4}-\h{4}-\h{4}-\h{12})\b/
TIMES = %w[enqueued_at failed_at retried_at created_at].freeze

def plain(text)
  text.gsub(NEW_ID) { |id| KNOWN.include?(id) ? id : "new-id" }.gsub(/\d{4}-\d\d-\d\dT[\d:.]+Z/, "a-time")
end

# Where the error was raised; what called it differs by Ruby and server.
def backtrace(packed)
  lines = JSON.parse(Zlib::Inflate.inflate(Base64.decode64(packed)))
  "#{lines.size} lines, #{lines.first[%r{app/jobs/\w+\.rb:\d+}]}"
end

def payload(text)
  job = JSON.parse(text)
  TIMES.each { |field| job[field] = job[field].class.name if job.key?(field) && !(field == "created_at" && KNOWN.include?(job["jid"])) }
  job["error_backtrace"] = backtrace(job["error_backtrace"]) if job["error_backtrace"]
  job["error_message"] = job["error_message"].lines.first.chomp if job["error_message"]
  plain(JSON.generate(job))
end

# Seconds from the failure in hundreds, without what chance added.
def delay(text, score)
  failed = JSON.parse(text).values_at("retried_at", "failed_at").compact.first or return "at #{(score / 100).floor}"
  "#{((score - failed) / 100).floor} hundred seconds later"
end

def value(key)
  case REDIS.type(key)
  when "list" then REDIS.lrange(key, 0, -1).map { |text| payload(text) }.sort
  when "zset" then REDIS.zrange(key, 0, -1, with_scores: true).map { |text, score| "#{payload(text)} #{delay(text, score) unless key == 'schedule'}" }.sort
  when "set" then REDIS.smembers(key).sort
  else [REDIS.get(key)]
  end
end

Dir[File.join(FOLDER, "*.log")].flat_map { |file| File.readlines(file, chomp: true) }
  .map { |line| "app: #{plain(line)}" }.sort.each { |line| puts line }
# Mawashi's own keys begin with mw:, records of processes expire by themselves, and process_cleanup
# is of Sidekiq 6.5.
REDIS.keys.sort.grep_v(/\Amw:|\A[^:]+:\d+:\h{12}|\Aprocess_cleanup\z/).each do |key|
  lives = REDIS.ttl(key).positive? ? "for a time" : "for good"
  value(key).each { |text| puts "redis: #{key.sub(/\d{4}-\d\d-\d\d\z/, 'day')} (#{lives}): #{text}" }
end
