# frozen_string_literal: true

require "mawashi/error_handlers"
require "mawashi/known_reliances"

module Mawashi
  # The blocks that the app gave to `config.on`.
  #
  # Some gems act once for each process of Sidekiq's, such as by schedules. Of the processes of a server their blocks
  # are called in one: whichever has locked a file that they share. The kernel gives the lock to another when it
  # ends, however it ends.
  class Lifecycle
    REVERSED = %i[quiet shutdown exit].freeze
    CONTEXT = "Exception during Sidekiq lifecycle event."
    private_constant :REVERSED, :CONTEXT

    # @return [String, nil] the file that the processes share, see {#take_turns}
    attr_reader :turn

    # @param sidekiq [SidekiqGem]
    def initialize(sidekiq)
      @sidekiq = sidekiq
      @error_handlers = ErrorHandlers.new(sidekiq)
    end

    # Has this process share what counts once with others.
    #
    # @param path [String] of a file that all of them name
    def take_turns(path)
      @turn = path
    end

    # Has this process do nothing that counts once.
    def leave_once_to_others
      @is_second = true
    end

    # Whether blocks for the start are still to be called, when the turn comes.
    def waits?
      @waits == true
    end

    # Calls the blocks for a moment as Sidekiq does: each once, but those for :beat at each beat.
    #
    # @param event [Symbol] :startup, :heartbeat, :beat, :quiet, :shutdown or :exit
    # @raise what a block for :startup raises; the server must not start then
    def fire(event)
      blocks = @sidekiq.lifecycle_events.fetch(event, [])
      return call_all(blocks.dup, event) if event == :beat
      # Those for the start may add to themselves, and are there until all have run.
      return call_all(blocks, event).clear if event == :startup

      taken = blocks.slice!(0..)
      call_all(REVERSED.include?(event) ? taken.reverse! : taken, event)
    end

    private

    def call_all(blocks, event)
      once = []
      blocks.each { |block| once?(block) ? once << block : call([block], event) }
      in_turn(event) { call(once, event) } unless once.empty?
      blocks
    end

    def call(blocks, event)
      blocks.each do |block|
        block.call
      rescue => e
        @error_handlers.call(e, context: CONTEXT, event: event)
        raise if event == :startup && !waits?
      end
    end

    def once?(block)
      file = block.source_location&.first if block.respond_to?(:source_location)
      file&.end_with?(*KnownReliances::ONCE)
    end

    def in_turn(event, &block)
      return if @is_second
      return yield if @turn.nil? || @lock
      return unless event == :startup

      lock = File.open(@turn, File::RDWR | File::CREAT, 0o600)
      return yield(@lock = lock) if lock.flock(File::LOCK_EX | File::LOCK_NB)

      @waits = true
      Thread.new do
        lock.flock(File::LOCK_EX)
        @lock = lock
        block.call
      end
    end
  end
end
