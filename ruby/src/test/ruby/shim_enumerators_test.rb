# frozen_string_literal: true

require "csv"
require "tempfile"

# What `build_enumerator` may return, from the start and from a cursor on.
class ShimEnumeratorsTest < Minitest::Test
  include Sidekiq::Job::Iterable::Enumerators

  Record = Struct.new(:id)

  # Answers like an ActiveRecord::Relation of records 1 to 5, and keeps what it was asked.
  class Relation
    attr_reader :asked

    def count
      5
    end

    def find_each(**options, &block)
      records(options).each(&block)
    end

    def find_in_batches(**options, &block)
      records(options).each_slice(options.fetch(:batch_size), &block)
    end

    def in_batches(**options, &block)
      records(options).each_slice(options.fetch(:of), &block)
    end

    private

    def records(options)
      @asked = options
      ((options[:start] || 1)..5).map { |id| Record.new(id) }
    end
  end

  def test_arrays
    assert_equal [["a", 0], ["b", 1]], array_enumerator(%w[a b], cursor: nil).to_a
    rest = array_enumerator(%w[a b c], cursor: 1)
    assert_equal [["b", 1], ["c", 2]], rest.to_a
    assert_equal 2, rest.size
    assert_raises(ArgumentError) { array_enumerator("ab", cursor: nil) }
  end

  def test_records
    records = active_record_records_enumerator(Relation.new, cursor: 4, batch_size: 2)
    assert_equal [[4, 4], [5, 5]], (records.map { |record, cursor| [record.id, cursor] })
    assert_equal 5, records.size
  end

  def test_batches
    batches = active_record_batches_enumerator(Relation.new, cursor: 2, batch_size: 3)
    assert_equal [[[2, 3, 4], 2], [[5], 5]], (batches.map { |batch, cursor| [batch.map(&:id), cursor] })
    assert_equal 5, batches.size
  end

  def test_relations
    relation = Relation.new
    parts = active_record_relations_enumerator(relation, cursor: nil, batch_size: 2)
    assert_equal [1, 3, 5], (parts.map { |_, cursor| cursor })
    assert_equal({ of: 2, start: nil }, relation.asked)
    assert_equal 3, parts.size
  end

  def test_csv
    with_csv do |csv|
      rows = csv_enumerator(csv, cursor: 1)
      assert_equal 3, rows.size
      assert_equal [["3", 1], ["5", 2]], (rows.to_a.map { |row, cursor| [row["a"], cursor] })
    end
    with_csv do |csv|
      batches = csv_batches_enumerator(csv, cursor: nil, batch_size: 2)
      assert_equal 2, batches.size
      assert_equal [[%w[1 3], 0], [["5"], 1]], (batches.to_a.map { |rows, cursor| [rows.map { |row| row["a"] }, cursor] })
    end
    assert_raises(ArgumentError) { csv_enumerator([], cursor: nil) }
  end

  def with_csv
    Tempfile.create("rows") do |file|
      file.write("a,b\n1,2\n3,4\n5,6\n")
      file.close
      CSV.open(file.path, headers: true) { |csv| yield csv }
    end
  end
end
