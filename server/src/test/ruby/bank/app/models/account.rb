# frozen_string_literal: true

# Whose balance jobs change.
class Account < ApplicationRecord
  class Overdrawn < StandardError; end
  class Busy < StandardError; end

  # Both locked in one order, or two transfers could wait for one another.
  def self.move(from, to, amount)
    transaction do
      accounts = where(id: [from.id, to.id]).order(:id).lock.index_by(&:id)
      accounts[from.id].update!(balance: accounts[from.id].balance - amount)
      accounts[to.id].update!(balance: accounts[to.id].balance + amount)
      yield
    end
  end
end
