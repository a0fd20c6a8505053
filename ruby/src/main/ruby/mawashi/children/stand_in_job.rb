# frozen_string_literal: true

module Mawashi
  module Children
    # The job that a forker runs itself, see {ForkRun#warm_up}.
    class StandInJob
      include Sidekiq::Job

      def perform(*); end
    end
  end
end
