# frozen_string_literal: true

require "mawashi/cut"

module Mawashi
  # An operator has cancelled the job that runs. It is discarded; no error handler is told.
  class Cancelled < Cut; end
end
