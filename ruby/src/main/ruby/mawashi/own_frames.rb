# frozen_string_literal: true

module Mawashi
  # Tells Mawashi's own lines of a backtrace from the app's: by where the shipped files lie, since an app may
  # lie in a folder of any name.
  module OwnFrames
    # As backtraces name it: `__dir__` would be without symbolic links.
    FOLDER = "#{File.dirname(__FILE__)}/" # rubocop:disable Style/Dir

    # @param lines [Array<String>] of a backtrace
    # @return [Array<String>] those that are not Mawashi's
    # @example
    #   Mawashi::OwnFrames.without(error.backtrace)
    def self.without(lines)
      lines.reject { |line| line.start_with?(FOLDER) }
    end
  end
end
