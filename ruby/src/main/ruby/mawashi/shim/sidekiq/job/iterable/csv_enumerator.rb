# frozen_string_literal: true

module Sidekiq
  module Job
    module Iterable
      # Goes through a CSV. The cursor is the number of a row, or of a batch, from 0.
      class CsvEnumerator
        # @param csv [CSV]
        def initialize(csv)
          raise ArgumentError, "CsvEnumerator.new takes CSV object" unless defined?(CSV) && csv.instance_of?(CSV)

          @csv = csv
        end

        def rows(cursor:)
          @csv.lazy.each_with_index.drop(cursor || 0).to_enum { size }
        end

        def batches(cursor:, batch_size: 100)
          @csv.lazy.each_slice(batch_size).with_index.drop(cursor || 0).to_enum { (size.to_f / batch_size).ceil }
        end

        private

        # By lines, so that a row of several counts as several.
        def size
          return unless @csv.path

          lines = File.foreach(@csv.path).count
          @csv.headers ? lines - 1 : lines
        end
      end
    end
  end
end
