# frozen_string_literal: true

class Account < ApplicationRecord
  class Overdrawn < StandardError; end

  # One statement, so that two processes cannot both see the old balance.
  def withdraw!(amount)
    paid = Account.where(id: id).where("balance >= ?", amount).update_all(["balance = balance - ?", amount])
    raise Overdrawn, "#{owner} has less than #{amount}" if paid.zero?
  end

  def deposit!(amount)
    Account.where(id: id).update_all(["balance = balance + ?", amount])
  end
end
