# frozen_string_literal: true

# Listens like systemd, on a socket with a path and on an abstract one, and prints what comes.
require "socket"

names = [File.join(ENV.fetch("LEDGER"), "notify"), "\0#{File.join(ENV.fetch("LEDGER"), "abstract")}"]
sockets = names.map { |name| Addrinfo.unix(name, :DGRAM).bind }
$stdout.sync = true
puts "listening"
loop { IO.select(sockets).first.each { |socket| puts socket.recv(100) } }
