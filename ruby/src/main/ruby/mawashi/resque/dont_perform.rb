# frozen_string_literal: true

# Raised by a `before_perform` hook so that its job is left out. It is the one name of Resque's that a job
# needs to run; an app with the resque gem has it from there.
module Resque
  # (see Resque)
  class Job
    DontPerform = Class.new(StandardError) unless const_defined?(:DontPerform, false)
  end
end
