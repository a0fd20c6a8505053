# frozen_string_literal: true

module Mawashi
  # What all errors that Mawashi itself raises into Ruby code have in common.
  class Error < StandardError; end
end
