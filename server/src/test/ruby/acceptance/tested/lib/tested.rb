# frozen_string_literal: true

# What the test tests.
module Tested
  NAME = "tested"
end
