# frozen_string_literal: true

module Mawashi
  # The value of `Sidekiq::Context.current` while a job runs around which nothing is logged. Most jobs log
  # nothing themselves either, so class, jid and tags are looked up only when somebody asks.
  class JobContext < Hash
    ASKED = %i[
      [] []= any? compact delete dup each each_pair empty? fetch inspect key? keys length map merge merge!
      none? reject select size slice store to_a to_h update values
    ].freeze
    private_constant :ASKED

    ASKED.each do |name|
      define_method(name) do |*arguments, &block|
        fill
        super(*arguments, &block)
      end
    end

    # @param source [Proc] returns what there is to know, or nil while no job runs
    def initialize(&source)
      super()
      @source = source
    end

    private

    def fill
      return unless @source

      found = @source.call or return
      @source = nil
      replace(found)
    end
  end
end
