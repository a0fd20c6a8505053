# frozen_string_literal: true

require "mawashi/sidekiq_gem"

module Mawashi
  module Children
    # The app's Sidekiq without what the app or its log want around a job.
    class PlainSidekiq < SidekiqGem
      def chain_use
        :none
      end

      def reloader
        nil
      end

      def logs_jobs?
        false
      end
    end
  end
end
