# frozen_string_literal: true

module Mawashi
  module Cluster
    # The places of the keys in a command. One that is not listed has one key, as its first word; {Prefix} sees to patterns.
    module Keys
      NONE = %w[
        ACL ASKING AUTH BGREWRITEAOF BGSAVE CLIENT CLUSTER COMMAND COMMANDLOG CONFIG DBSIZE DEBUG DISCARD ECHO EXEC FAILOVER
        FUNCTION HELLO INFO KEYS LASTSAVE LATENCY LOLWUT MODULE MONITOR MULTI PFSELFTEST PING PSUBSCRIBE PSYNC PUBLISH PUBSUB
        PUNSUBSCRIBE QUIT READONLY READWRITE REPLCONF REPLICAOF RESET ROLE SAVE SCAN SCRIPT SELECT SHUTDOWN
        SLAVEOF SLOWLOG SUBSCRIBE SYNC TIME UNSUBSCRIBE UNWATCH WAIT WAITAOF
      ].freeze
      ALL = %w[DEL EXISTS MGET PFCOUNT PFMERGE SDIFF SDIFFSTORE SINTER SINTERSTORE SUNION SUNIONSTORE TOUCH UNLINK WATCH].freeze
      TWO = %w[BLMOVE BRPOPLPUSH COPY GEOSEARCHSTORE LCS LMOVE RENAME RENAMENX RPOPLPUSH SMOVE ZRANGESTORE].freeze
      ALL_BUT_LAST = %w[BLPOP BRPOP BZPOPMAX BZPOPMIN].freeze
      # After the name of a subcommand.
      SECOND = %w[MEMORY OBJECT PFDEBUG XGROUP XINFO].freeze
      PAIRS = %w[MSET MSETNX].freeze
      # The number of keys comes first, or second: after a script, a time or the key of the result.
      COUNTED = %w[LMPOP SINTERCARD ZDIFF ZINTER ZINTERCARD ZMPOP ZUNION].freeze
      COUNTED_SECOND = %w[BLMPOP BZMPOP EVAL EVALSHA EVALSHA_RO EVAL_RO FCALL FCALL_RO].freeze
      STORING = %w[ZDIFFSTORE ZINTERSTORE ZUNIONSTORE].freeze
      STORE = /\ASTORE(DIST)?\z/i.freeze
      private_constant :NONE, :ALL, :TWO, :ALL_BUT_LAST, :SECOND, :PAIRS, :COUNTED, :COUNTED_SECOND, :STORING, :STORE

      FORMS = {
        none: NONE, all: ALL, two: TWO, all_but_last: ALL_BUT_LAST, second: SECOND, pairs: PAIRS, counted: COUNTED,
        counted_second: COUNTED_SECOND, storing: STORING, all_but_first: %w[BITOP], counted_pairs: %w[MSETEX],
        stored: %w[GEORADIUS GEORADIUSBYMEMBER], sorted: %w[SORT SORT_RO], read: %w[XREAD XREADGROUP]
      }.flat_map { |form, names| names.map { |name| [name, form] } }.to_h.freeze
      # Words before STREAMS that belong to an option.
      OPTIONS = { "COUNT" => 1, "BLOCK" => 1, "CLAIM" => 1, "GROUP" => 2 }.freeze
      private_constant :FORMS, :OPTIONS

      class << self
        # @param name [String] of the command, in capitals
        # @param words [Array] the whole command
        # @return [Array<Integer>, Range] places in it
        # @example
        #   Keys.of("LPUSH", %w[LPUSH queue:default job]) # => [1]
        def of(name, words)
          form = FORMS[name]
          return words.size > 1 ? [1] : [] unless form
          return [] if form == :none

          send(form, words)
        end

        private

        def all(words)
          1...words.size
        end

        def two(words)
          1...[3, words.size].min
        end

        def all_but_last(words)
          1...(words.size - 1)
        end

        def all_but_first(words)
          2...words.size
        end

        def second(words)
          words.size > 2 ? [2] : []
        end

        def pairs(words)
          (1...words.size).step(2).to_a
        end

        def counted(words, at = 1)
          (at + 1)...[at + 1 + words[at].to_s.to_i, words.size].min
        end

        def counted_second(words)
          counted(words, 2)
        end

        def counted_pairs(words)
          (2...[2 + (2 * words[1].to_s.to_i), words.size].min).step(2).to_a
        end

        def storing(words)
          [1, *counted(words, 2)]
        end

        def stored(words)
          [1, *(2...words.size).select { |index| STORE.match?(words[index - 1].to_s) && index > 5 }]
        end

        # Patterns are those of keys, too. What has no star, and the element itself, is none.
        def sorted(words)
          found = [index = 1]
          while (index += 1) < words.size - 1
            case words[index].to_s.upcase
            when "LIMIT" then index += 2
            when "STORE" then found << (index += 1)
            when "BY", "GET"
              index += 1
              found << index if words[index].to_s.include?("*")
            end
          end
          found
        end

        def read(words)
          index = 1
          while index < words.size && (option = words[index].to_s.upcase) != "STREAMS"
            index += 1 + OPTIONS.fetch(option, 0)
          end
          first = index + 1
          first...(first + ([words.size - first, 0].max / 2))
        end
      end
    end
  end
end
