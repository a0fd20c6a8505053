# frozen_string_literal: true

require "mawashi/error"

module Mawashi
  # What a job fails by whose process ended before it did. The message says how that ended and what it
  # printed last.
  class ChildDied < Error; end

  # What a job is buried by that ran alone, and whose server died each time.
  class ProcessCrashed < Error; end
end
