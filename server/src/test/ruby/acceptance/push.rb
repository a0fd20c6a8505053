# frozen_string_literal: true

# Enqueues 10,000 jobs, as an app does. Redis is that of REDIS_URL.
require_relative "app"

NUMBERS = [
  0, -1, 2**53, 2**53 + 1, -(2**63), 2**64 + 1, 130_775_545_883_395_173, 10**400, -0.0, 0.1, 1.0, 0.1 + 0.2,
  1e22, 1e23, 1.0e-7, 5e-324, 2.2250738585072014e-308, Float::MAX, -Float::MAX, 123_456_789.123456789, 1e100
].freeze
STRINGS = [
  "", " ", "é", "e\u0301", "回し蹴り", "👩‍👩‍👧‍👦 🇩🇪", "\u0000\u0001\u001f\u007f\u0080", "\\ \" / \b\f\n\r\t", "\u2028\u2029\ufeff",
  "\u{10ffff}\ufffe\ufffd", "</script><!--", "#\{x} %s $1 \\u0041", "{\"class\":\"X\"}", "null", "x" * 100_000
].freeze

def value(random, depth)
  case random.rand(depth.positive? ? 9 : 6)
  when 0 then NUMBERS.sample(random: random)
  when 1 then STRINGS.sample(random: random)
  when 2 then random.rand(-(10**30)..10**30)
  when 3 then (random.rand - 0.5) * (10.0**random.rand(-300..300))
  when 4 then [nil, true, false].sample(random: random)
  when 5 then Array.new(random.rand(20)) { random.rand(32..0xd7ff) }.pack("U*")
  when 6, 7 then Array.new(random.rand(5)) { value(random, depth - 1) }
  else Array.new(random.rand(5)) { |i| ["#{i}#{STRINGS[i]}", value(random, depth - 1)] }.to_h
  end
end

def exact(values)
  ExactJob.perform_async(Canonical.digest(values), *values)
end

random = Random.new(20_261_121)
5.times { GateJob.perform_async("gate") }
[*NUMBERS, *STRINGS, NUMBERS, STRINGS, [], {}, [[]], [{}], { "" => [] }].each { |one| exact([one]) }
(1_000 - NUMBERS.size - STRINGS.size - 7).times { exact(Array.new(random.rand(5)) { value(random, 5) }) }
300.times { FlakyJob.perform_async(2) }
100.times { |n| DoomedJob.perform_async("n#{n % 2}") }
95.times { FleetingJob.perform_async }
400.times { |n| DueJob.perform_at(*[Time.now.to_f + 2 + (n % 10) / 5.0] * 2) }
100.times { PlainJob.perform_in(3_600, "later") }
2_000.times { |n| PlainJob.perform_async(n, "plain", { "k" => [n] }) }
6_000.times.each_slice(1_000) { |slice| Sidekiq::Client.push_bulk("class" => PlainJob, "args" => slice.map { |n| [n] }) }
