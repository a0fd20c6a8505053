# frozen_string_literal: true

# The example on PostgreSQL, and what databases and drivers are apt to do differently, on SQLite too.
%w[DATABASE_URL SQLITE_URL].each { |name| ENV[name] = File.read(File.join(ENV.fetch("LEDGER"), name)) }
require_relative "../../../../../examples/sequel/jobs"
require "bigdecimal"
require "date"

BOTH = { "postgres" => DB, "sqlite" => Database.connect(ENV.fetch("SQLITE_URL")) }.freeze

# Writes what it reads back.
class EchoJob
  include Sidekiq::Job

  def perform(name, number)
    db = BOTH.fetch(name)
    id = db[:values].insert(row(number, name == "postgres" ? 250_000 : 0))
    row = db[:values].first(id: id)
    db[:values].where(id: id).update(seen: seen(row))
  end

  private

  # SQLite's driver takes the six digits that Sequel writes behind a second for milliseconds.
  def row(number, micros)
    { number: number, big: 2**40 + number, exact: BigDecimal("#{number}.0625"), float: number / 7.0, yes: number.odd?,
      text: "あ'\\#{number}", none: nil, day: Date.new(2026, 1, 31), at: Time.utc(2026, 3, 29, 2, 30, number, micros),
      bytes: Sequel.blob([0, 255, 10, number].pack("C*")) }
  end

  def seen(row)
    row.except(:id, :seen).map { |key, value| "#{key}=#{shown(value)}" }.join(" ")
  end

  def shown(value)
    case value
    when BigDecimal then "#{value.class} #{value.to_s("F")}"
    when Time then "#{value.class} #{value.strftime("%F %T.%6N")}"
    when Sequel::SQL::Blob then "blob #{value.bytes}"
    else "#{value.class} #{value.inspect}"
    end
  end
end

# What a statement raises is known by Sequel's class.
class ErrorJob
  include Sidekiq::Job
  STATEMENTS = {
    "unique" => ->(db) { 2.times { db[:values].insert(id: -1) } },
    "missing" => ->(db) { db[:nowhere].all },
    "division" => ->(db) { db.transaction { db[:values].insert(number: -1) && raise(Sequel::Rollback) } }
  }.freeze

  def perform(name, what)
    db = BOTH.fetch(name)
    STATEMENTS.fetch(what).call(db)
    note(db, what, "nothing")
  rescue Sequel::Error => e
    raise if e.message.match?(/busy/i) # Of SQLite, which has one writer: the retry has its turn.

    note(db, what, e.class)
  end

  private

  def note(db, what, error)
    db[:values].insert(seen: "#{what} #{error}")
  end
end
