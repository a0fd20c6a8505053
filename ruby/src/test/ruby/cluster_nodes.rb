# frozen_string_literal: true

require "fileutils"
require "socket"
require "tmpdir"

# Nodes of a Redis Cluster on this machine, for a test: three with the slots, by thirds, and perhaps one without.
class ClusterNodes
  SLOTS = [0..5460, 5461..10_922, 10_923..16_383].freeze
  LIMIT_S = 30
  PORTS = (20_000..32_000).freeze

  # One process, and a connection to it that needs no library.
  class Node
    attr_reader :port, :tls_port, :pid

    # @param options [Array<String>] for the server, as for TLS
    def initialize(folder, taken, *options)
      @port, @tls_port, bus = Array.new(3) { free_port(taken) }
      options.unshift("--tls-port", tls_port) unless options.empty?
      Dir.mkdir(place = "#{folder}/#{@port}")
      @command = ["redis-server", "--port", port, "--bind", "127.0.0.1", "--cluster-enabled", "yes",
                  "--cluster-config-file", "nodes.conf", "--cluster-port", bus, "--cluster-node-timeout", 500, "--repl-diskless-sync-delay", 0,
                  "--save", "", "--appendonly", "no", "--dir", place, *options].map(&:to_s)
      start
    end

    def start
      @pid = Process.spawn(*@command, %i[out err] => File::NULL)
      @socket = nil
    end

    # Kills it as a crash would.
    def kill
      Process.kill(:KILL, @pid)
      Process.wait(@pid)
      @pid = nil
    end

    # @return [Object] an error's text where it is one
    def call(*words)
      @socket ||= TCPSocket.new("127.0.0.1", port)
      @socket.write("*#{words.size}\r\n", *words.map { |word| "$#{word.to_s.bytesize}\r\n#{word}\r\n" })
      reply
    end

    def id
      @id ||= call("CLUSTER", "MYID")
    end

    def ready?
      call("PING") == "PONG"
    rescue SystemCallError
      @socket = nil
    end

    private

    def free_port(taken)
      Kernel.loop do
        port = rand(PORTS)
        next if taken.include?(port)

        TCPServer.new("127.0.0.1", port).close
        taken << port
        return port
      rescue Errno::EADDRINUSE
        next
      end
    end

    def reply
      line = @socket.gets("\r\n").to_s.chomp
      case line[0]
      when "$" then line == "$-1" ? nil : @socket.read(line[1..].to_i + 2).delete_suffix("\r\n")
      when "*" then Array.new(line[1..].to_i) { reply }
      when ":" then line[1..].to_i
      else line[1..]
      end
    end
  end

  attr_reader :nodes

  # @param spare [Boolean] whether there is a fourth, which has no slots and is no replica yet
  def initialize(spare: false)
    @folder = Dir.mktmpdir("cluster")
    taken = []
    @nodes = Array.new(spare ? 4 : 3) { Node.new(@folder, taken) }
    join
  rescue StandardError
    stop
    raise
  end

  # Waits until all living nodes know each other and are well.
  def agree
    wait("the nodes to agree") do
      living.all? do |node|
        info = node.call("CLUSTER", "INFO")
        info.include?("cluster_state:ok") && info.include?("cluster_known_nodes:#{@nodes.size}")
      end
    end
  end

  # @param name [String] the tag
  # @return [String] with all nodes
  def url(name = "shop", login = "")
    "redis+cluster://#{login}#{nodes.map { |node| "127.0.0.1:#{node.port}" }.join(",")}/#{name}"
  end

  # @return [Node] that has the slot, as that node itself says
  def owner(slot)
    living.find { |node| node.call("CLUSTER", "NODES")[/myself.*connected(.*)/, 1].to_s.split.any? { |part| in?(part, slot) } }
  end

  # Begins to move a slot; the block runs while it is on its way.
  def move(slot, from, to)
    to.call("CLUSTER", "SETSLOT", slot, "IMPORTING", from.id)
    from.call("CLUSTER", "SETSLOT", slot, "MIGRATING", to.id)
    yield if block_given?
  ensure
    until (keys = from.call("CLUSTER", "GETKEYSINSLOT", slot, 100)).empty?
      from.call("MIGRATE", "127.0.0.1", to.port, "", 0, 5000, "KEYS", *keys)
    end
    [to, from, *(living - [to, from])].each { |node| node.call("CLUSTER", "SETSLOT", slot, "NODE", to.id) }
  end

  def wait(what)
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + LIMIT_S
    until yield
      raise "waited #{LIMIT_S} s for #{what}" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline

      sleep 0.02
    end
  end

  def stop
    living.each(&:kill)
    FileUtils.rm_rf(@folder)
  end

  private

  def join
    @nodes.each { |node| wait("a node to start") { node.ready? } }
    SLOTS.each_with_index { |slots, index| @nodes[index].call("CLUSTER", "ADDSLOTSRANGE", slots.min, slots.max) }
    @nodes.each { |node| @nodes.first.call("CLUSTER", "MEET", "127.0.0.1", node.port, bus(node)) }
    agree
  end

  def living
    @nodes.select(&:pid)
  end

  def bus(node)
    node.call("CONFIG", "GET", "cluster-port").last
  end

  def in?(part, slot)
    first, last = part[/\A[\d-]+\z/].to_s.split("-").map(&:to_i)
    first && slot.between?(first, last || first)
  end
end
