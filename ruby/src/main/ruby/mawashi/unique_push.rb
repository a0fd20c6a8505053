# frozen_string_literal: true

require "digest/sha1"
require "mawashi/cluster"
require "mawashi/namespaced_calls"
require "mawashi/native"
require "mawashi/unique_script"

module Mawashi
  # Jobs with locks on their way into Redis, each with its lock in one step, and all of them in one round trip.
  class UniquePush
    # Jobs of one call of the script, and their bytes, so that none holds Redis for long. A larger job is alone.
    TOGETHER = 100
    BYTES_TOGETHER = 1 << 20
    SHA1 = Digest::SHA1.hexdigest(UniqueScript::TEXT).freeze
    # A key that is never there. A node of a Cluster whose slot moves refuses a script that names it as a whole, instead
    # of breaking it off where a key vanishes.
    MISSING = "mw:missing"
    private_constant :TOGETHER, :BYTES_TOGETHER, :SHA1, :MISSING

    # A job and its lock.
    Entry = Struct.new(:lock, :queue, :text, :at)

    # @param entries [Array<Entry>] queue, JSON text, time when due or nil
    def initialize(entries)
      @groups = entries.group_by { |entry| entry.at ? "" : entry.queue }
                       .flat_map { |queue, some| parts(some).map { |part| [queue, part] } }
    end

    # Stores them through the server that runs the app.
    #
    # @return [Hash{UniqueLock=>String}] the owners of the locks that have kept jobs out
    # @raise [Mawashi::Error] when Redis cannot be reached or refuses, or a payload is too large: then nothing is stored
    def through_server
      @groups.each { |_, entries| entries.each { |entry| Native.require_size(entry.queue, entry.text) } }
      kept_out(@groups.map do |queue, entries|
        Native.iteration(["enqueue", queue, *words(entries)]).map { |word| word == "1" ? 1 : word.delete_prefix(" ") }
      end)
    end

    # Stores them through a connection of redis-client or redis.
    #
    # @return [Hash{UniqueLock=>String}] the owners of the locks that have kept jobs out
    def through(connection)
      @missing = [(MISSING if Cluster.of(NamespacedCalls.below(connection)))].compact
      connection = NamespacedCalls.on(connection)
      kept_out(call(connection, "EVALSHA", SHA1))
    rescue => e
      raise unless e.message.start_with?("NOSCRIPT")

      # Redis has begun anew. What it has done before an error, it does not do twice.
      kept_out(call(connection, "EVAL", UniqueScript::TEXT))
    end

    private

    def parts(entries)
      bytes = 0
      entries.each_with_object([]) do |entry, parts|
        size = entry.text.bytesize
        parts << [] if parts.empty? || parts.last.size == TOGETHER || (bytes += size) > BYTES_TOGETHER
        bytes = size if parts.last.empty?
        parts.last << entry
      end
    end

    def call(connection, verb, script)
      return [connection.call(verb, script, *arguments(*@groups.first))] if @groups.size == 1

      connection.pipelined do |pipeline|
        @groups.each { |queue, entries| pipeline.call(verb, script, *arguments(queue, entries)) }
      end
    end

    def arguments(queue, entries)
      keys = ["queues", queue.empty? ? "schedule" : "queue:#{queue}", "mw:locks", *@missing]
      [keys.size.to_s, *keys, queue, *words(entries)]
    end

    def words(entries)
      entries.flat_map { |entry| [*entry.lock.words, entry.at.to_s, entry.text] }
    end

    def kept_out(replies)
      @groups.zip(replies).each_with_object({}) do |((_, entries), group), kept|
        entries.zip(group) { |entry, reply| kept[entry.lock] = reply unless reply == 1 }
      end
    end
  end
end
