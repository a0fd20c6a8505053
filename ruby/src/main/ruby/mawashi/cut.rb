# frozen_string_literal: true

module Mawashi
  # Raised in a job that the server ends. Not a StandardError, so that a job which goes on after
  # errors of its own does not go on after this one.
  class Cut < Exception; end # rubocop:disable Lint/InheritException -- as said above
end
