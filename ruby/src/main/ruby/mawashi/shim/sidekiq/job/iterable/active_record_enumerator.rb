# frozen_string_literal: true

module Sidekiq
  module Job
    module Iterable
      # Goes through what an `ActiveRecord::Relation` finds. The cursor is an id, the first of a batch.
      class ActiveRecordEnumerator
        BATCH = 1_000
        private_constant :BATCH

        # @param relation [ActiveRecord::Relation]
        # @param cursor [Object] id to begin with
        # @param options [Hash] of ActiveRecord's batch methods
        def initialize(relation, cursor: nil, **options)
          @relation = relation
          @options = options
          @start = { start: cursor }
        end

        def records
          enumerator(-> { @relation.count }) do |items|
            @relation.find_each(**@options, **@start) { |record| items.yield(record, record.id) }
          end
        end

        def batches
          enumerator(-> { @relation.count }) do |items|
            @relation.find_in_batches(**@options, **@start) { |batch| items.yield(batch, batch.first.id) }
          end
        end

        def relations
          size = @options[:of] || @options[:batch_size] || BATCH
          options = @options.reject { |name, _| name == :batch_size }
          enumerator(-> { (@relation.count.to_f / size).ceil }) do |items|
            @relation.in_batches(**options, of: size, **@start) { |part| items.yield(part, part.first.id) }
          end
        end

        private

        def enumerator(size, &block)
          Enumerator.new(size, &block)
        end
      end
    end
  end
end
