# frozen_string_literal: true

# What a job has done.
class Entry < ApplicationRecord
end
