# frozen_string_literal: true

require "mawashi/error"

module Mawashi
  # Raised before a job begins that asks for what this server does not have. It waits in the retry set, without a
  # try less.
  class Held < Error
  end
end
