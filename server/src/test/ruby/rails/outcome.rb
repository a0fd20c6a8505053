# frozen_string_literal: true

# Prints what the app noted and what Redis holds, so that it is the same whenever and by whomever the
# same jobs were run: times, random delays and new ids are replaced by words.
require "base64"
require "json"
require "sidekiq"
require "zlib"

FOLDER = ENV.fetch("LEDGER")
KNOWN = File.readlines(File.join(FOLDER, "jids"), chomp: true)
# It would say to which Redis it connects.
Sidekiq.logger.level = Logger::WARN
NEW_ID = /\b(?:[0-9a-f]{24}|\h{8}-\h{4}-\h{4}-\h{4}-\h{12})\b/
HISTOGRAM = /\A(?:h\|)?(.+)-\d+-\d+:\d+\z/.freeze
TIMES = %w[enqueued_at failed_at retried_at created_at].freeze

def plain(text)
  text.gsub(NEW_ID) { |id| KNOWN.include?(id) ? id : "new-id" }.gsub(/\d{4}-\d\d-\d\dT[\d:.]+Z/, "a-time")
end

# Where the error was raised. What called it differs by Ruby and server, but for what Rails keeps of it.
def backtrace(packed)
  lines = JSON.parse(Zlib::Inflate.inflate(Base64.decode64(packed)))
  return lines.map { |line| line[/\A[^:]+:\d+/] }.uniq.join(", ") if lines.none? { |line| line.start_with?("/") }

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
  # Sidekiq 8 writes milliseconds.
  failed /= 1_000.0 if failed.is_a?(Integer)
  "#{((score - failed) / 100).floor} hundred seconds later"
end

# By the client that this version of the gem has.
def redis(*command)
  Sidekiq.redis { |connection| connection.call(*command) }
end

def value(key)
  case redis("TYPE", key)
  when "list" then redis("LRANGE", key, 0, -1).map { |text| payload(text) }.sort
  when "zset" then redis("ZRANGE", key, 0, -1, "WITHSCORES").flatten.each_slice(2).map { |text, score| "#{payload(text)} #{delay(text, score.to_f) unless key == 'schedule'}" }.sort
  when "set" then redis("SMEMBERS", key).sort
  else [redis("GET", key)]
  end
end

# Sums of the metrics, which 7 and later keep by minute and class, but for how long jobs took.
def metrics(keys)
  counts = keys.grep(/\Aj\|/).flat_map { |key| redis("HGETALL", key).to_a.flatten.each_slice(2).to_a }
  times = keys.grep(HISTOGRAM).map do |key|
    [key[HISTOGRAM, 1], redis("BITFIELD", key, *(0..25).flat_map { |place| ["GET", "u16", "##{place}"] }).sum]
  end
  [*counts.reject { |field, _| field.end_with?("|ms") }, *times].group_by(&:first).map do |field, found|
    "metrics: #{field} #{found.sum { |_, number| number.to_i }}"
  end
end

lines = Dir[File.join(FOLDER, "*.log")].flat_map { |file| File.readlines(file, chomp: true) }
# Of two capsules each has children of its own, with their own startup.
events, others = lines.partition { |line| line.start_with?("event ") }
[*events.uniq, *others].map { |line| "app: #{plain(line)}" }.sort.each { |line| puts line }
# Mawashi's own keys begin with mw:, records of processes expire by themselves, and process_cleanup
# is of Sidekiq 6.5.
keys = redis("KEYS", "*").sort.grep_v(/\Amw:|\A[^:]+:\d+:\h{12}|\Aprocess_cleanup\z/)
puts metrics(keys)
keys.grep_v(/\Aj\|/).grep_v(HISTOGRAM).each do |key|
  lives = redis("TTL", key).positive? ? "for a time" : "for good"
  value(key).each { |text| puts "redis: #{key.sub(/\d{4}-\d\d-\d\d\z/, 'day')} (#{lives}): #{text}" }
end
