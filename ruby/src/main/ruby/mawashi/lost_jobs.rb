# frozen_string_literal: true

require "mawashi/error"

module Mawashi
  # The error of a job whose process ended before the job did. The message says how the process ended and what
  # it printed last.
  class ChildDied < Error; end

  # The error of a job that is buried because it ran alone and its server died each time.
  class ProcessCrashed < Error; end
end
