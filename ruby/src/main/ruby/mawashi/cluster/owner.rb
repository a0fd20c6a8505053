# frozen_string_literal: true

require "mawashi/cluster/url"

module Mawashi
  module Cluster
    # The node that has the slot of a URL. All connections of a pool share what one has learned.
    #
    # `@address` and `@known` are changed under the lock, and by no one while nodes are asked, since that takes as long as
    # the connections let it.
    class Owner
      # Between two answers that contradict each other.
      PAUSE_S = 0.05
      private_constant :PAUSE_S

      # @return [Url]
      attr_reader :url

      # @param url [Url]
      def initialize(url)
        @url = url
        @known = url.nodes
        @lock = Mutex.new
      end

      # @param failure [Class] of the error for a Cluster that cannot be used
      # @param ask see {#find}
      # @return [Array(String, Integer)] host and port
      def address(failure, &ask)
        @address || find(failure, &ask)
      end

      # Asks the nodes, the one that answered last before the others.
      #
      # @yieldparam host [String]
      # @yieldparam port [Integer]
      # @yieldreturn [Array(String, Array)] its replies to CLUSTER INFO and CLUSTER SLOTS, or [nil, reason]
      # @raise [StandardError] `failure`, in one sentence
      def find(failure)
        reasons = @lock.synchronize { @known.dup }.map do |node|
          info, slots = yield(*node)
          reason = info ? obstacle(info) : slots
          next "#{node.join(":")}: #{reason}" if reason

          return learn(node, slots) ||
                 raise(failure, "no node of the Redis Cluster has slot #{url.slot}, that of {#{url.name}}")
        end
        raise failure, "no node of the Redis Cluster can be used (#{reasons.join("; ")})"
      end

      # No connection could be made there.
      def forget(address)
        @lock.synchronize { @address = nil if @address == address }
      end

      # @param moved [Moved]
      def moved(moved)
        return unless moved.doubtful?

        host, port = moved.target
        # Nodes that learn of a move at several times point at each other.
        sleep(PAUSE_S) if host && @moved_at && now - @moved_at < 1
        @lock.synchronize do
          @moved_at = now
          host = @address&.first if host == ""
          @address = host && [host, port]
        end
      end

      private

      def obstacle(info)
        state = info[/^cluster_state:(\w+)/, 1]
        "its cluster_state is #{state}, must be ok" unless state == "ok"
      end

      # @return [Array(String, Integer), nil]
      def learn(asked, slots)
        places = slots.map { |first, last, *nodes| [first..last, nodes.map { |node| place(asked, node) }] }
        _, found = places.find { |range, _| range.cover?(url.slot) }
        @lock.synchronize do
          @known = [asked, *url.nodes, *places.flat_map(&:last)].uniq
          @address = found&.first
        end
      end

      # A node that does not know its own name is where it was asked. Certificates are of names, so that over TLS a node
      # goes by its name if it has one beside its address.
      def place(asked, node)
        host, port, _, more = node
        host = (more.is_a?(Hash) ? more : Hash[*more])["hostname"] || host if url.tls?
        [host.to_s.empty? || host == "?" ? asked.first : host, port]
      end

      def now
        Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end
    end
  end
end
