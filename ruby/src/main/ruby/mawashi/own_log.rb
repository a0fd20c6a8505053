# frozen_string_literal: true

module Mawashi
  # The lines of Mawashi's own Ruby in the log of the app's Sidekiq. A log that cannot be written keeps nothing
  # from its end.
  module OwnLog
    # @param level [Symbol] such as :warn
    def self.say(level, text)
      Sidekiq.logger.public_send(level, text)
      nil
    rescue StandardError
      # There is nowhere left to say it.
      nil
    end
  end
end
