# frozen_string_literal: true

# Takes no arguments.
class NoArgumentJob
  include Sidekiq::Job

  def perform
    Ledger.note("tell", jid, self.class)
  end
end
