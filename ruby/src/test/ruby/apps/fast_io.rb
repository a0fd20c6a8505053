# frozen_string_literal: true

require "mawashi/fast_io"
