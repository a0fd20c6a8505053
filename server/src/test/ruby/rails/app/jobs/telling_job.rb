# frozen_string_literal: true

# Notes what it gets, bit by bit, and where it is.
class TellingJob
  include Sidekiq::Job

  def perform(*args)
    Ledger.note("tell", jid, self.class, Canonical.digest(args), I18n.locale, Current.tenant, Sidekiq.server?.inspect)
  end
end
