# frozen_string_literal: true

# Enqueues what the servers are then to run.
require "sidekiq"
require "rails"
require "sidekiq/rails"
require_relative "config/environment"

# It would say to which Redis it connects, and 6.4 warns of what ActiveJob makes of arguments.
Sidekiq.logger.level = Logger::ERROR

accounts = Account.order(:id).to_a
moment = Time.at(1_795_225_600.123456).utc
40.times { |n| TransferJob.perform_later(accounts[n % 4], accounts[(n + 1) % 4], BigDecimal("#{n}.25"), at: moment + n.minutes) }
%i[busy undone].each { |word| TransferJob.perform_later(accounts[0], accounts[1], 5, at: moment.to_date.to_time, word: word) }
gone = Account.create!(owner: "gone", balance: 0)
TransferJob.perform_later(gone, accounts[1], 5, at: moment)
gone.destroy!
OverdraftJob.perform_later(accounts[2])
5.times { |n| CountJob.perform_async("n#{n}") }
TransferJob.set(wait: 0.5).perform_later(accounts[3], accounts[0], 1, at: moment, word: :later)

# 49 run, one twice more, and 42 receipts; before 7.2 Rails enqueued also in transactions that are rolled back.
receipts = Gem::Version.new(Rails.version) >= Gem::Version.new("7.2") ? 42 : 45
File.write(File.join(ENV.fetch("LEDGER"), "runs"), 49 + 2 + receipts)

# The ids by which they are known afterwards.
stored = Sidekiq.redis { |c| %w[queue:transfers queue:default].flat_map { |key| c.lrange(key, 0, -1) } + c.zrange("schedule", 0, -1) }
jids = stored.flat_map { |text| [JSON.parse(text)["jid"], *text[/"job_id":"([^"]+)"/, 1]] }
File.write(File.join(ENV.fetch("LEDGER"), "jids"), jids.join("\n"))
