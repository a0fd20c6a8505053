# frozen_string_literal: true

%w[Ada Grace Barbara Radia].each { |owner| Account.create!(owner: owner, balance: 1_000) }
