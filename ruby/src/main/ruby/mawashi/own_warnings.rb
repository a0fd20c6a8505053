# frozen_string_literal: true

module Mawashi
  # On JRuby `warn` raises when standard error cannot be written, so that a logger which warns of its own full
  # disk would raise in the job that logs. On MRI it does not.
  module OwnWarnings
    # From here on a warning that cannot be written is dropped.
    def self.keep
      Warning.singleton_class.prepend(self)
    end

    def warn(*, **)
      super
    rescue IOError, SystemCallError
      nil
    end
  end
end
