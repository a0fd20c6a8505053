# frozen_string_literal: true

# A shop's jobs, for the pages to show: some wait, some compute, some fail.
require "sidekiq"

Sidekiq.logger.level = Logger::WARN

# What the jobs of the shop share.
module Shop
  # The bank said no.
  class Refused < StandardError; end

  # Sends a mail.
  class OrderMailer
    include Sidekiq::Job
    sidekiq_options queue: "mailers", retry: 5

    def perform(_order)
      sleep 0.01
    end
  end

  # Charges a card; every ninth is refused.
  class ChargeCard
    include Sidekiq::Job
    sidekiq_options queue: "critical", retry: 5, backtrace: 30

    def perform(order, _amount)
      sleep 0.05
      charge(order)
    end

    private

    def charge(order)
      raise Refused, "the bank refused card #{order} <b>without</b> a reason" if (order % 9).zero?
    end
  end

  # Computes for a while.
  class ResizeImage
    include Sidekiq::Job
    sidekiq_options queue: "default"

    def perform(_path, sizes)
      sizes.each { |size| (1..size * 20).sum }
    end
  end

  # Takes long, and fails for good.
  class WeeklyReport
    include Sidekiq::Job
    sidekiq_options queue: "low", retry: 0, backtrace: true

    def perform(week, _options = {})
      sleep 0.3
      raise ZeroDivisionError, "no visitors in week #{week}" if (week % 4).zero?
    end
  end

  # Runs until somebody cancels it.
  class LongImport
    include Sidekiq::Job
    sidekiq_options queue: "imports"

    def perform(_file)
      sleep 600
    end
  end
end
