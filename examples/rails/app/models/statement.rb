# frozen_string_literal: true

class Statement < ApplicationRecord
  belongs_to :account
end
