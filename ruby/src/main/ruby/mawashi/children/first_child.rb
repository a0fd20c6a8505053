# frozen_string_literal: true

require "mawashi/children/link"
require "mawashi/children/report"

module Mawashi
  module Children
    # A child before the server knows what it is to run: it calls the app's blocks for the start, which may change
    # Sidekiq's settings, sends the server what these are now, and waits for its work.
    class FirstChild
      # @param path [String] of the server's Unix socket
      # @param number [Integer] its place among the children
      def initialize(path, number)
        @path = path
        @number = number
      end

      # @return [String] what a frame for the parent says of a child that is to be forked
      def start_up(sidekiq)
        link = Link.connect(@path, "F", @number)
        sidekiq.lifecycle.take_turns(File.join(File.dirname(@path), "once"))
        sidekiq.fire(:startup)
        Report.write(link, sidekiq)
        kind, body = link.read
        exit!(0) unless kind == "F"
        link.close
        body
      end
    end
  end
end
