# frozen_string_literal: true

module Mawashi
  # The common ancestor of all errors that Mawashi itself raises into Ruby code.
  class Error < StandardError; end
end
