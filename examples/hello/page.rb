# frozen_string_literal: true

# The jobs that `mawashi demo --web` runs besides, so that each page has something to show.

require_relative "hello"

module Hello
  # Takes as long as its argument says.
  class Export
    include Sidekiq::Job

    def perform(_account, seconds)
      sleep seconds
    end
  end

  # Fails each time, and is tried again in five minutes, ten, and so on.
  class Invoice
    include Sidekiq::Job

    sidekiq_retry_in { |count| 300 * (count + 1) }

    def perform(order)
      charge(order.fetch("total"))
    end

    def charge(total)
      raise ArgumentError, "the bank refuses #{total}: try again later"
    end
  end

  # Fails for good.
  class Import
    include Sidekiq::Job

    sidekiq_retry_in { :kill }

    def perform(file)
      raise IOError, "#{file} has no header: line 1 is empty"
    end
  end
end
