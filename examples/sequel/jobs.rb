# frozen_string_literal: true

require "sequel"
require "sidekiq"
require "uri"

# A connection for each job that runs at once; `-c` takes the same variable.
module Database
  THREADS = Integer(ENV.fetch("RAILS_MAX_THREADS", "5"))

  # @param url [String] as Sequel takes it on MRI: postgres://bank@127.0.0.1/bank, sqlite:///srv/bank.db
  def self.connect(url)
    Sequel.connect(RUBY_ENGINE == "jruby" ? jdbc(URI(url)) : url, max_connections: THREADS)
  end

  # On JRuby the drivers are jars, which JDBC_DRIVERS names.
  def self.jdbc(uri)
    ENV.fetch("JDBC_DRIVERS").split(File::PATH_SEPARATOR).each { |jar| require jar }
    return "jdbc:sqlite:#{uri.path}" if uri.scheme == "sqlite"

    user = URI.encode_www_form({ user: uri.user, password: uri.password }.compact)
    "jdbc:postgresql://#{uri.host}:#{uri.port || 5432}#{uri.path}?#{user}"
  end
end

DB = Database.connect(ENV.fetch("DATABASE_URL"))

# Moves money in one transaction: all of it, or nothing.
class TransferJob
  include Sidekiq::Job

  def perform(from, to, cents)
    DB.transaction do
      # In one order, so that no two transfers wait for each other.
      DB[:accounts].where(id: [from, to]).order(:id).for_update.all
      DB[:accounts].where(id: to).update(balance: Sequel[:balance] + cents)
      moved = DB[:accounts].where(id: from) { balance >= cents }.update(balance: Sequel[:balance] - cents)
      raise "account #{from} has no #{cents}" if moved.zero?

      DB[:transfers].insert(from: from, to: to, cents: cents, at: Sequel::CURRENT_TIMESTAMP)
    end
  end
end
