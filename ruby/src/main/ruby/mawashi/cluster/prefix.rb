# frozen_string_literal: true

require "mawashi/cluster/keys"

module Mawashi
  module Cluster
    # Puts the tag before the keys of commands, and takes it from the keys in replies.
    class Prefix
      # These would reach keys of others, or their keys and channels cannot be in one slot.
      REFUSED = {
        "FLUSHALL" => "it would delete what others have in the Cluster",
        "FLUSHDB" => "it would delete what others have in the Cluster",
        "MIGRATE" => "the Cluster itself moves keys",
        "RANDOMKEY" => "it would find keys of others in the Cluster",
        "SPUBLISH" => "its channel is in another slot than the keys",
        "SSUBSCRIBE" => "its channel is in another slot than the keys",
        "SUNSUBSCRIBE" => "its channel is in another slot than the keys",
        "SWAPDB" => "a Cluster has only database 0",
      }.freeze
      # Replies that have keys, by the place of these.
      LISTS = %w[KEYS].freeze
      SCANS = %w[SCAN].freeze
      FIRSTS = %w[BLPOP BRPOP BZPOPMAX BZPOPMIN BLMPOP BZMPOP LMPOP ZMPOP].freeze
      STREAMS = %w[XREAD XREADGROUP].freeze
      WITH_KEYS = [*LISTS, *SCANS, *FIRSTS, *STREAMS].freeze
      private_constant :REFUSED, :LISTS, :SCANS, :FIRSTS, :STREAMS, :WITH_KEYS

      # @param name [String] of the command, in capitals
      # @param words [Array]
      # @return [String, nil] the reason not to send it
      def self.refusal(name, words)
        reason = REFUSED[name]
        reason = "a Cluster has only database 0" if name == "SELECT" && words[1].to_s != "0"
        "#{name} is not sent to a Redis Cluster: #{reason}" if reason
      end

      # @param text [String]
      def initialize(text)
        @text = text
      end

      # @param name [String] of the command, in capitals
      # @param words [Array] the command, which stays as it is
      # @return [Array]
      def added(name, words)
        case name
        when "SCAN" then scan(words)
        when "KEYS" then at([1], words)
        else at(Keys.of(name, words), words)
        end
      end

      # @param name [String] of the command
      # @return [Object] the reply without the tag
      def removed(name, reply)
        return reply if !WITH_KEYS.include?(name) || reply.nil? || reply.is_a?(Exception)
        return streams(reply) if STREAMS.include?(name)
        return reply unless reply.is_a?(Array)
        return reply.map { |key| plain(key) } if LISTS.include?(name)

        first, *rest = reply
        SCANS.include?(name) ? [first, rest.first.map { |key| plain(key) }] : [plain(first), *rest]
      end

      private

      def at(places, words)
        words = words.dup
        places.each { |place| words[place] = tagged(words[place].to_s) if place < words.size }
        words
      end

      def scan(words)
        place = (2...words.size).find { |index| words[index].to_s.casecmp?("MATCH") }
        place ? at([place + 1], words) : [*words, "MATCH", "#{@text}*"]
      end

      # A key may be bytes of any kind.
      def tagged(key)
        Encoding.compatible?(@text, key) ? @text + key : @text.b << key.b
      end

      def plain(key)
        key.is_a?(String) ? key.delete_prefix(@text) : key
      end

      # A map, or pairs in the older protocol.
      def streams(reply)
        reply.is_a?(Hash) ? reply.transform_keys { |key| plain(key) } : reply.map { |key, *rest| [plain(key), *rest] }
      end
    end
  end
end
