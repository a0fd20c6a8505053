# frozen_string_literal: true

require "sidekiq/job/iterable/active_record_enumerator"
require "sidekiq/job/iterable/csv_enumerator"

module Sidekiq
  module Job
    module Iterable
      # Enumerators for `build_enumerator`. Each goes on at the cursor that it is given.
      module Enumerators
        # @param array [Array]
        # @example
        #   array_enumerator(%w[a b c], cursor: cursor)
        def array_enumerator(array, cursor:)
          raise ArgumentError, "array must be an Array" unless array.is_a?(Array)

          items = array.each_with_index.drop(cursor || 0)
          items.to_enum { items.size }
        end

        # One record after the other.
        #
        # @param relation [ActiveRecord::Relation]
        # @param options [Hash] of `find_each`
        # @example
        #   active_record_records_enumerator(User.active, cursor: cursor)
        def active_record_records_enumerator(relation, cursor:, **options)
          ActiveRecordEnumerator.new(relation, cursor: cursor, **options).records
        end

        # Arrays of records.
        #
        # @param options [Hash] of `find_in_batches`
        # @example
        #   active_record_batches_enumerator(User.active, cursor: cursor, batch_size: 100)
        def active_record_batches_enumerator(relation, cursor:, **options)
          ActiveRecordEnumerator.new(relation, cursor: cursor, **options).batches
        end

        # Relations, for commands on many records.
        #
        # @param options [Hash] of `in_batches`, and `batch_size` for its `of`
        # @example
        #   active_record_relations_enumerator(User.active, cursor: cursor, batch_size: 100)
        def active_record_relations_enumerator(relation, cursor:, **options)
          ActiveRecordEnumerator.new(relation, cursor: cursor, **options).relations
        end

        # The rows of a CSV.
        #
        # @param csv [CSV]
        # @example
        #   csv_enumerator(CSV.open("users.csv", headers: true), cursor: cursor)
        def csv_enumerator(csv, cursor:)
          CsvEnumerator.new(csv).rows(cursor: cursor)
        end

        # Arrays of rows.
        #
        # @param options [Hash] `batch_size`, 100 if it is not given
        # @example
        #   csv_batches_enumerator(CSV.open("users.csv"), cursor: cursor, batch_size: 10)
        def csv_batches_enumerator(csv, cursor:, **options)
          CsvEnumerator.new(csv).batches(cursor: cursor, **options)
        end
      end
    end
  end
end
