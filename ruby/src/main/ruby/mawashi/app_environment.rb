# frozen_string_literal: true

require "mawashi/origins"

module Mawashi
  # The environment of the app, which its code and its gems read from three variables.
  module AppEnvironment
    VARIABLES = %w[APP_ENV RAILS_ENV RACK_ENV].freeze
    private_constant :VARIABLES

    # Sets all three variables.
    #
    # @param given [String, nil] the value of -e
    # @param origins [Origins] where it came from is noted
    # @return [String]
    def self.choose(given, origins)
      variable = VARIABLES.find { |name| ENV[name] }
      chosen = given || (variable && ENV.fetch(variable)) || "development"
      origins.note_value("environment", chosen, given ? "-e" : variable || Origins::DEFAULT)
      VARIABLES.each { |name| ENV[name] = chosen }
      chosen
    end
  end
end
