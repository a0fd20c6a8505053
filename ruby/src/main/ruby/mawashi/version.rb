# frozen_string_literal: true

module Mawashi
  # The version of these files and of the server that carries them.
  VERSION = "0.2.0"
end
