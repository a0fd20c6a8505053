# frozen_string_literal: true

# Reads a file by lines, some times over: `ruby lines.rb FILE PASSES`. Prints what each pass took, in seconds, and at
# last what a pass that is not timed has counted: lines and bytes.
file = ARGV[0]

Integer(ARGV[1]).times do
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  IO.foreach(file) { |_line| }
  puts Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
end

lines = 0
bytes = 0
IO.foreach(file) do |line|
  lines += 1
  bytes += line.bytesize
end
puts "#{lines} #{bytes}"
