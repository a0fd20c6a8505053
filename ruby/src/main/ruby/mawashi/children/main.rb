# frozen_string_literal: true

# The program of an MRI parent process: `ruby main.rb SOCKET`. Its standard input begins with what
# the boot is to know: names and values, each with a NUL behind it, and one more NUL. The rest of the input
# never comes; its end means that the server is gone. Nothing is required here that a bundle may hold in
# another version.
$LOAD_PATH.unshift(File.expand_path("../..", __dir__))

if RUBY_ENGINE != "ruby" || RUBY_VERSION < "2.7"
  abort "this is #{RUBY_ENGINE} #{RUBY_VERSION}: the mri runner needs MRI 2.7 or later (set it with --ruby)"
end

# The server decides what a signal means, also while the app is loaded: one that is sent to the whole process
# group must not end this process before the server has, nor one that the server goes on at: the jobs here would
# have to run again. Programs that the app starts are not touched by it.
(%w[INT TERM TSTP TTIN USR1 USR2 HUP QUIT ALRM PROF IO PWR TTOU] & Signal.list.keys).each { |name| trap(name) {} }

given = []
while (name = $stdin.gets("\0")&.chomp("\0")) && !name.empty?
  given << [name, $stdin.gets("\0").chomp("\0")]
end
Thread.new do
  $stdin.read
  exit!(1)
end

require "mawashi/children/parent"

# As Sidekiq's command leaves no words of its own to the app.
Mawashi::Children::Parent.new(ARGV.shift).run(given)
