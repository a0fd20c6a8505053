# frozen_string_literal: true

class Transfer < ApplicationRecord
  belongs_to :from, class_name: "Account"
  belongs_to :to, class_name: "Account"

  # All of it or nothing. It begins with a write: SQLite then waits its turn at once, where a transaction
  # that has read before it writes may have to be given up.
  def self.make!(from, to, amount)
    transaction do
      to.deposit!(amount)
      create!(from: from, to: to, amount: amount, pid: Process.pid)
      from.withdraw!(amount)
    end
  end
end
