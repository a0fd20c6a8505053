# frozen_string_literal: true

module Mawashi
  module Periodic
    # Goes into what `Sidekiq.configure_server` yields.
    module Declaring
      # @example
      #   config.periodic { |mgr| mgr.register("0 4 * * *", "NightlyJob", queue: "low") }
      def periodic(&block)
        raise ArgumentError, "config.periodic needs a block: config.periodic { |mgr| mgr.register(...) }" unless block

        block.call(Periodic.registry)
      end
    end
  end
end
