# frozen_string_literal: true

require "mawashi/native"

module Mawashi
  # The progress of an iterable job, in Redis and in the form of Sidekiq 8: through the server that runs the
  # app, else through the app's Redis library.
  class IterationState
    TTL_S = 30 * 24 * 60 * 60
    private_constant :TTL_S

    # @param jid [String] of the job
    def initialize(jid)
      @jid = jid.to_s
    end

    # @return [String] its key
    def key
      "it-#{@jid}"
    end

    # @return [Hash{String=>String}] empty when the job has not begun
    # @example
    #   Mawashi::IterationState.new(jid).read # => {"ex" => "1", "c" => "17", "rt" => "0.5"}
    def read
      reply = native? ? Native.iteration(["read", @jid]) : redis { |connection| connection.call("HGETALL", key) }
      reply.is_a?(Hash) ? reply : reply.each_slice(2).to_h
    end

    # Sets fields in one step; `cancelled` keeps the value that it has.
    #
    # @param fields [Hash{String=>Object}]
    # @return [String, nil] the value of `cancelled`
    def write(fields)
      return Native.iteration(["write", @jid, *fields.to_a.flatten.map(&:to_s)]).first if native?

      replies = redis do |connection|
        connection.multi do |transaction|
          fields.each do |field, value|
            transaction.call(field == "cancelled" ? "HSETNX" : "HSET", key, field, value.to_s)
          end
          transaction.call("EXPIRE", key, TTL_S, "NX")
          transaction.call("HGET", key, "cancelled")
        end
      end
      replies.last
    end

    # Notes that the job is to end at its next look.
    #
    # @return [Integer] seconds since the epoch when that was first asked for
    def cancel
      write("cancelled" => Time.now.to_i).to_i
    end

    # The job is done.
    def forget
      native? ? Native.iteration(["forget", @jid]) : redis { |connection| connection.call("UNLINK", key) }
    end

    private

    def native?
      Native.iterates?
    end

    def redis(&block)
      Sidekiq.redis(&block)
    end
  end
end
