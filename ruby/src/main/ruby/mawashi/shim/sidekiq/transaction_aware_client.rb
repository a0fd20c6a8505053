# frozen_string_literal: true

require "sidekiq/client"

module Sidekiq
  # A client whose jobs are enqueued once the database transaction around them is committed, and never
  # when it is rolled back.
  class TransactionAwareClient
    class << self
      # Finds what reports a commit: ActiveRecord from 7.2 on, or a gem of that purpose.
      #
      # @return [Method] takes a block
      # @raise [Mawashi::Error] when neither is there
      def commits
        @commits ||= active_record || after_commit_everywhere
      end

      private

      def active_record
        ActiveRecord.method(:after_all_transactions_commit) if
          defined?(ActiveRecord) && ActiveRecord.respond_to?(:after_all_transactions_commit)
      end

      def after_commit_everywhere
        require "after_commit_everywhere"
        AfterCommitEverywhere.method(:after_commit)
      rescue LoadError
        raise Mawashi::Error, "transactional_push! needs ActiveRecord 7.2 or newer, or gem \"after_commit_everywhere\""
      end
    end

    def initialize(**options)
      @client = Client.new(**options)
    end

    # @return [String] the jid, also when a client middleware will stop the push later
    def push(item)
      item["jid"] ||= SecureRandom.hex(12)
      self.class.commits.call { @client.push(item) }
      item["jid"]
    end

    # At once, as in Sidekiq.
    def push_bulk(items)
      @client.push_bulk(items)
    end
  end
end
