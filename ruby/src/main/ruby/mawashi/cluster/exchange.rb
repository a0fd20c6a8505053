# frozen_string_literal: true

require "mawashi/cluster/moved"
require "mawashi/cluster/prefix"

module Mawashi
  module Cluster
    # The commands that one connection has sent and that wait for their replies. It puts the tag on keys, and sends again
    # what a node has refused. One thread at a time uses it.
    #
    # Nothing is sent again of which a part was done, nor in a transaction that was begun before.
    class Exchange
      PAUSE_S = 0.05
      # Have a time limit of their own for each reply.
      BLOCKING = %w[BLMOVE BLMPOP BLPOP BRPOP BRPOPLPUSH BZMPOP BZPOPMAX BZPOPMIN WAIT WAITAOF XREAD XREADGROUP].freeze
      # Leave all as it is when they are run twice. The gems enqueue with a SADD and a LPUSH.
      HARMLESS = %w[MULTI SADD].freeze
      private_constant :PAUSE_S, :BLOCKING, :HARMLESS

      # A command that was sent: its name in capitals, and its words without the tag.
      Sent = Struct.new(:name, :words)
      private_constant :Sent

      # @param owner [Owner]
      # @param refusal [Class] of the error for a command that must not be sent
      # @param moved [Class] of the error that makes the library connect anew and send again
      def initialize(owner, refusal, moved)
        @owner = owner
        @prefix = Prefix.new(owner.url.prefix)
        @refusal = refusal
        @moved = moved
        clear
      end

      # For a new connection.
      def clear
        @sent = []
        @ready = []
        @queued = nil
        @watches = @is_stale = @is_begun = false
      end

      # Whether the connection leads to a node that has refused something, and must be closed.
      def stale?
        @is_stale && @sent.empty? && @ready.empty?
      end

      # @param words [Array] a command
      # @return [Array] what goes to the node
      def outgoing(words)
        words = words.flatten(1) if words.any?(Array)
        name = words.first.to_s.upcase
        refused = Prefix.refusal(name, words)
        raise @refusal, refused if refused

        @is_begun = false if @sent.empty?
        @sent << Sent.new(name, words)
        @prefix.added(name, words)
      end

      # @param limit_s [Float, nil] how long it waits for the slot
      # @param write [Proc] writes commands, each through {#outgoing}
      # @yieldreturn [Object] the next reply of the node; errors are values
      # @return [Object] the next reply, without the tag
      def reply(limit_s, write)
        return @ready.shift unless @ready.empty?

        deadline = nil
        until @sent.empty?
          replies = Array.new(together) { yield }
          return settle(replies) unless (moved = Moved.among(replies))

          replies << yield while replies.size < @sent.size

          @owner.moved(moved)
          deadline ||= now + limit_s.to_f
          return give_up(replies) unless again?(replies) && (!moved.soon? || now < deadline)
          raise @moved, moved.message unless moved.soon?

          write_again(write)
        end
        # Of a subscription there are more replies than commands.
        yield
      end

      private

      # @return [Integer] replies to read before the first is given out, since later ones may have to change it
      def together
        @sent.any? { |sent| BLOCKING.include?(sent.name) } ? 1 : @sent.size
      end

      # Whether nothing was done that must not be done twice.
      def again?(replies)
        return false if @is_begun || @queued || @watches

        @sent.zip(replies).all? do |sent, reply|
          Moved.undone?(reply) || reply == "QUEUED" || (HARMLESS.include?(sent.name) && !reply.is_a?(Exception))
        end
      end

      def write_again(write)
        sleep(PAUSE_S)
        commands = @sent.map(&:words)
        @sent = []
        write.call(commands)
      end

      def give_up(replies)
        @is_stale = true
        settle(replies)
      end

      def settle(replies)
        @is_begun = true
        @ready = @sent.shift(replies.size).zip(replies).map { |sent, reply| seen(sent, reply) }
        @ready.shift
      end

      def seen(sent, reply)
        case sent.name
        when "MULTI" then @queued = [] unless reply.is_a?(Exception)
        when "EXEC", "DISCARD" then return ended(reply)
        when "WATCH", "UNWATCH" then @watches = sent.name == "WATCH"
        else
          return @prefix.removed(sent.name, reply) unless @queued

          @queued << sent.name if reply == "QUEUED"
        end
        reply
      end

      def ended(reply)
        names = @queued
        @queued = nil
        @watches = false
        reply.is_a?(Array) && names ? names.zip(reply).map { |name, part| @prefix.removed(name, part) } : reply
      end

      def now
        Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end
    end
  end
end
