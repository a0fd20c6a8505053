# frozen_string_literal: true

require "mawashi/cut"

module Mawashi
  # An operator has cancelled the job that runs. It is discarded; no error handler hears of it.
  class Cancelled < Cut; end
end
