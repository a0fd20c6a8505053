# frozen_string_literal: true

# Sidekiq's own page under puma, on a port that the system picks.
require "securerandom"
require "rack/session/cookie"
require "puma"
require "puma/server"
require_relative "app"
require "sidekiq/web"

page = Rack::Builder.new do
  use Rack::Session::Cookie, secret: SecureRandom.hex(32), same_site: true
  run Sidekiq::Web
end
server = Puma::Server.new(page.to_app)
listener = server.add_tcp_listener("127.0.0.1", 0)
threads = server.run
$stdout.puts("page at http://127.0.0.1:#{listener.addr[1]}/")
$stdout.flush
threads.join
