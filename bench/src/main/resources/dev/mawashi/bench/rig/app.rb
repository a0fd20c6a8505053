# frozen_string_literal: true

# The app of the app benchmark: a job as most apps have them. It takes an order, reads its customer from PostgreSQL,
# asks a service for its shipping by HTTP, which takes that service 20 ms, and writes the order.
require "json"
require "net/http"
require "sequel"
require "uri"
require_relative "noop"

connection = ENV.fetch("BENCH_POSTGRES")
if RUBY_ENGINE == "jruby"
  require ENV.fetch("BENCH_JDBC_DRIVER")
  connection = "jdbc:#{connection.sub("postgres://bench@", "postgresql://")}?user=bench"
end
DB = Sequel.connect(connection, max_connections: Integer(ENV.fetch("BENCH_THREADS")))
# What a process opened before it forks would be shared by its children.
DB.disconnect
SHIPPING = URI(ENV.fetch("BENCH_SHIPPING"))

class OrderJob
  include Job
  JSON_TYPE = { "Content-Type" => "application/json" }.freeze

  # Opened by the process that runs the jobs. Each line is the time of one job in ms.
  def self.times
    @times ||= File.open(File.join(ENV.fetch("BENCH_TIMES"), "#{Process.pid}.times"), "a").tap { |file| file.sync = true }
  end

  def perform(order)
    Tally.enter
    began = Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_millisecond)
    customer = DB[:customers].where(id: order["customer"]).first
    total = order["items"].sum { |item| item["cents"] * item["count"] }
    shipping = ship(city: customer[:city], items: order["items"].map { |item| item.slice("sku", "count") })
    DB[:orders].insert(customer: customer[:id], cents: total + shipping["cents"], items: JSON.generate(order["items"]))
    self.class.times.write("#{Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_millisecond) - began}\n")
    Tally.add
  end

  private

  def ship(parcel)
    answer = Net::HTTP.post(SHIPPING, JSON.generate(parcel), JSON_TYPE)
    raise "shipping answered #{answer.code}" unless answer.is_a?(Net::HTTPOK)

    JSON.parse(answer.body)
  end
end
