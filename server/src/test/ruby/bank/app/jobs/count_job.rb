# frozen_string_literal: true

# No ActiveJob, and a thread that uses a connection of its own.
class CountJob
  include Sidekiq::Job

  def perform(word)
    Thread.new { ActiveRecord::Base.connection_pool.with_connection { Entry.where(word: word).count } }.join
    Entry.create!(word: "#{self.class} #{word} #{Account.count}", amount: 1.5, at: Time.at(0))
    Ledger.note("leave", jid, self.class)
  end
end
