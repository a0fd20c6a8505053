# frozen_string_literal: true

module Sidekiq
  # Many jobs of one class: what `push_bulk` is given, taken apart.
  class Bulk
    BATCH_SIZE = 1_000
    BATCH_SIZE_SCHEDULED = 100
    SPREAD_S_MIN = 5
    private_constant :BATCH_SIZE, :BATCH_SIZE_SCHEDULED, :SPREAD_S_MIN

    # @param items [Hash] see {Client#push_bulk}; may also hold "batch_size" and "spread_interval"
    # @raise [ArgumentError] when it does not make sense
    def initialize(items)
      @items = items.transform_keys(&:to_s)
      @lists = @items.delete("args")
      check_lists
      @times = times(@items.delete("at"), @items.delete("spread_interval"))
      @batch_size = @items.delete("batch_size") || (@times ? BATCH_SIZE_SCHEDULED : BATCH_SIZE)
    end

    # @return [Enumerator<Array<Hash>>] the jobs to be, as many at a time as go in one round trip
    def slices
      Enumerator.new do |slices|
        first = 0
        # A lazy list of arguments is walked as its jobs are stored.
        @lists.each_slice(@batch_size) do |lists|
          raise_bulk_args unless lists.all?(Array)
          slices << lists.each_with_index.map { |args, index| item(args, first + index) }
          first += lists.size
        end
      end
    end

    private

    def item(args, index)
      item = @items.merge("args" => args)
      item["at"] = @times.is_a?(Array) ? @times[index] : @times if @times
      item
    end

    def check_lists
      raise_bulk_args unless @lists.is_a?(Enumerator::Lazy) || (@lists.is_a?(Array) && @lists.all?(Array))
      return unless @items["jid"] && @lists.count > 1

      raise ArgumentError, "Explicitly passing 'jid' when pushing more than one job is not supported"
    end

    def raise_bulk_args
      raise ArgumentError, "Bulk arguments must be an Array of Arrays: [[1], [2]]"
    end

    def times(at, spread)
      raise ArgumentError, "Only one of 'at' or 'spread_interval' can be provided" if at && spread
      return spread_over(spread) if spread
      return if at.nil?

      all_numbers = Array(at).any? && Array(at).all?(Numeric)
      raise ArgumentError, "Job 'at' must be a Numeric or an Array of Numeric timestamps" unless all_numbers

      is_same_size = !at.is_a?(Array) || at.size == @lists.count
      raise ArgumentError, "Job 'at' Array must have same size as 'args' Array" unless is_same_size

      at
    end

    # Each job gets a moment of its own in the interval.
    def spread_over(seconds)
      is_positive = seconds.is_a?(Numeric) && seconds.positive?
      raise ArgumentError, "Jobs 'spread_interval' must be a positive Numeric" unless is_positive

      now = Time.now.to_f
      Array.new(@lists.count) { now + (rand * [seconds, SPREAD_S_MIN].max) }
    end
  end
end
