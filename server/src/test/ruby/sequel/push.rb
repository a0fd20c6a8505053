# frozen_string_literal: true

# Makes the tables and enqueues, or with the word "rows" prints what is left.
require_relative "app"

if ARGV == ["rows"]
  BOTH.each do |name, db|
    puts(db[:values].exclude(seen: nil).select_order_map(:seen).map { |seen| "#{name} #{seen}" })
    puts(db[:values].where(seen: nil).order(:id).map { |row| "#{name} #{row}" })
  end
  puts(DB[:accounts].order(:id).map { |row| "account #{row}" })
  puts(DB[:transfers].order(:from, :to, :cents, :id).map { |row| "transfer #{row.slice(:from, :to, :cents)}" })
  exit
end

BOTH.each_value do |db|
  db.create_table(:values) do
    primary_key :id
    Integer :number
    Bignum :big
    BigDecimal :exact, size: [20, 4]
    Float :float
    TrueClass :yes
    String :text
    String :none
    Date :day
    Time :at
    File :bytes
    String :seen
  end
end
BOTH.each_key do |name|
  8.times { |n| EchoJob.perform_async(name, n) }
  ErrorJob::STATEMENTS.each_key { |what| ErrorJob.perform_async(name, what) }
end
load File.expand_path("../../../../../examples/sequel/setup.rb", __dir__)
