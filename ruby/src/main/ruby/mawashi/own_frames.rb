# frozen_string_literal: true

module Mawashi
  # Separates Mawashi's own lines of a backtrace from the app's: by where the shipped files lie, since an app may
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

    # Whether Ruby 3.1 to 3.3 quote a line of Mawashi's in the message of this error.
    #
    # @param error [Exception]
    def self.source_of?(error)
      error.is_a?(NameError) && error.backtrace&.first.to_s.start_with?(FOLDER)
    end
  end
end
