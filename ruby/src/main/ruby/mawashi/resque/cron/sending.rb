# frozen_string_literal: true

require "mawashi/resque/cron/tick"

module Mawashi
  module Resque
    module Cron
      # Goes before the method of Resque::DataStore that stores a job. Whatever is no job of a schedule goes on unchanged.
      module Sending
        # See the gem's.
        def push_to_queue(queue, encoded_item)
          tick = Tick.current
          tick ? tick.store([queue.to_s, encoded_item]) { super } : super
        end
      end
    end
  end
end
