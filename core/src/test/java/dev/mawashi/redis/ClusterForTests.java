package dev.mawashi.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mawashi.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.util.JedisClusterCRC16;

/// A real Cluster on loopback: three masters, and a replica of each if wanted.
public final class ClusterForTests implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MASTERS = 3;
    private static final int SLOTS = 16_384;

    /// How long a node is away until the others choose another, in milliseconds.
    private static final String NODE_TIMEOUT = "1000";

    private final List<RedisServerForTests> nodes = new ArrayList<>();
    private final String[] options;

    /// @param replicas 0 or 1 of each master
    /// @param options for each redis-server
    public ClusterForTests(int replicas, String... options) {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "--cluster-node-timeout",
                                NODE_TIMEOUT,
                                // With the default the loss of one slot refuses all others.
                                "--cluster-require-full-coverage",
                                "no"));
        all.addAll(List.of(options));
        this.options = all.toArray(String[]::new);
        IntStream.range(0, MASTERS * (1 + replicas)).forEach(_ -> nodes.add(node(this.options)));
        for (int i = 0; i < MASTERS; i++) {
            int from = SLOTS * i / MASTERS;
            int to = SLOTS * (i + 1) / MASTERS - 1;
            call(nodes.get(i), "CLUSTER", "ADDSLOTSRANGE", "" + from, "" + to);
        }
        nodes.stream().skip(1).forEach(this::meetFirst);
        for (int i = MASTERS; i < nodes.size(); i++) {
            String master = id(nodes.get(i - MASTERS));
            RedisServerForTests replica = nodes.get(i);
            Eventually.until(
                    "a replica knows its master",
                    PATIENCE,
                    () -> call(replica, "CLUSTER", "NODES").contains(master));
            call(replica, "CLUSTER", "REPLICATE", master);
        }
        awaitReady();
    }

    /// A node that has no slots and knows no other.
    static RedisServerForTests node(String... options) {
        List<String> all = new ArrayList<>(List.of("--cluster-enabled", "yes"));
        all.addAll(List.of(options));
        HeldPort bus = new HeldPort();
        // The default is the port and 10,000, which may be none.
        all.addAll(List.of("--cluster-port", "" + bus.number()));
        bus.close();
        return new RedisServerForTests(all.toArray(String[]::new));
    }

    /// The one node of a Cluster, with all slots.
    public static RedisServerForTests alone(String... options) {
        RedisServerForTests node = node(options);
        call(node, "CLUSTER", "ADDSLOTSRANGE", "0", "" + (SLOTS - 1));
        awaitUp(node);
        return node;
    }

    /// Waits until a node that needs no other takes commands for its slots.
    static void awaitUp(RedisServerForTests node) {
        Eventually.until(
                "a node of the Cluster is up",
                PATIENCE,
                () -> call(node, "CLUSTER", "INFO").contains("cluster_state:ok"));
    }

    private void meetFirst(RedisServerForTests node) {
        RedisServerForTests first = nodes.getFirst();
        String bus = call(first, "CONFIG", "GET", "cluster-port").replaceAll("\\D", "");
        call(node, "CLUSTER", "MEET", "127.0.0.1", "" + port(first), bus);
    }

    /// One more node joins: a master that has no slots yet. Whoever was given a URL before does not
    /// know it.
    public RedisServerForTests grow() {
        RedisServerForTests node = node(options);
        meetFirst(node);
        nodes.add(node);
        awaitReady();
        return node;
    }

    /// Has all slots of a master go to another one, as operators do it. Returns the program that
    /// does it, which ends with 0 if it could.
    public Process reshard(RedisServerForTests from, RedisServerForTests to) {
        List<String> command = new ArrayList<>(List.of("redis-cli", "--cluster", "reshard"));
        command.add("127.0.0.1:" + port(to));
        command.addAll(List.of("--cluster-from", id(from), "--cluster-to", id(to)));
        command.addAll(List.of("--cluster-slots", "" + SLOTS, "--cluster-yes"));
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("redis-cli must be on PATH: run ./check once", e);
        }
    }

    /// Waits until each node that lives knows of each slot's master.
    public void awaitReady() {
        for (RedisServerForTests node : nodes) {
            Eventually.until("a node of the Cluster is ready", PATIENCE, () -> isReady(node));
        }
    }

    private boolean isReady(RedisServerForTests node) {
        String info = call(node, "CLUSTER", "INFO");
        boolean isUp =
                Stream.of(
                                "cluster_state:ok",
                                "cluster_slots_ok:" + SLOTS,
                                "cluster_known_nodes:" + nodes.size())
                        .allMatch(info::contains);
        return info.isEmpty() || (isUp && !isLateReplica(node));
    }

    /// Waits until each replica has what its master has by now.
    public void awaitReplicas() {
        for (RedisServerForTests node : nodes) {
            if (call(node, "INFO", "replication").contains("role:master")) {
                call(node, "WAIT", "1", "" + PATIENCE.toMillis());
            }
        }
    }

    private static boolean isLateReplica(RedisServerForTests node) {
        String replication = call(node, "INFO", "replication");
        return replication.contains("role:slave") && !replication.contains("master_link_status:up");
    }

    private static String id(RedisServerForTests node) {
        return call(node, "CLUSTER", "MYID").strip();
    }

    private static int port(RedisServerForTests node) {
        return node.ownAddress().port();
    }

    /// What a node answers, as text; empty when it does not.
    static String call(RedisServerForTests node, String... command) {
        try (RedisConnection connection = node.connect()) {
            return text(connection.call(command));
        } catch (RedisFailure failure) {
            return failure.kind() == RedisFailure.Kind.REFUSED ? failure.reason() : "";
        }
    }

    private static String text(@Nullable Object reply) {
        return switch (reply) {
            case byte[] bytes -> new String(bytes, UTF_8);
            case List<?> list ->
                    list.stream().map(ClusterForTests::text).collect(Collectors.joining(" "));
            case null -> "";
            default -> reply.toString();
        };
    }

    /// The node that has the keys of a name, in the eyes of the nodes that live.
    public RedisServerForTests owner(String name) {
        int slot = slot(name);
        for (RedisServerForTests asked : nodes) {
            try (RedisConnection connection = asked.connect()) {
                for (Object range :
                        (List<?>) Objects.requireNonNull(connection.call("CLUSTER", "SLOTS"))) {
                    List<?> parts = (List<?>) range;
                    if ((Long) parts.get(0) <= slot && slot <= (Long) parts.get(1)) {
                        long port = (Long) ((List<?>) parts.get(2)).get(1);
                        return nodes.stream()
                                .filter(one -> port(one) == port)
                                .findFirst()
                                .orElseThrow();
                    }
                }
            } catch (RedisFailure _) {
                // It is away; another may know.
            }
        }
        throw new AssertionError("no node knows who has the keys of " + name);
    }

    static int slot(String name) {
        return JedisClusterCRC16.getSlot("{" + name + "}");
    }

    /// A master that has not the keys of this name.
    public RedisServerForTests another(String name) {
        RedisServerForTests owner = owner(name);
        return nodes.stream()
                .filter(node ->
                        node != owner && call(node, "INFO", "replication").contains("role:master"))
                .findFirst()
                .orElseThrow();
    }

    /// Marks the slot of a name as on its way to a node: what is missing here may be there.
    public void beginMove(String name, RedisServerForTests to) {
        RedisServerForTests from = owner(name);
        String slot = "" + slot(name);
        call(to, "CLUSTER", "SETSLOT", slot, "IMPORTING", id(from));
        call(from, "CLUSTER", "SETSLOT", slot, "MIGRATING", id(to));
    }

    /// Takes its keys there, and has the node be its owner. Returns once all nodes know: of two
    /// nodes that become owners at once one loses all keys.
    public void endMove(String name, RedisServerForTests to) {
        RedisServerForTests from = owner(name);
        String slot = "" + slot(name);
        try (RedisConnection connection = from.connect()) {
            while (connection.call("CLUSTER", "GETKEYSINSLOT", slot, "100") instanceof List<?> keys
                    && !keys.isEmpty()) {
                for (Object key : keys) {
                    connection.call(
                            "MIGRATE",
                            "127.0.0.1",
                            "" + port(to),
                            text(key),
                            "0",
                            "30000",
                            "REPLACE");
                }
            }
        }
        for (RedisServerForTests node : List.of(to, from)) {
            call(node, "CLUSTER", "SETSLOT", slot, "NODE", id(to));
        }
        for (RedisServerForTests node : nodes) {
            if (call(node, "INFO", "replication").contains("role:master")) {
                call(node, "CLUSTER", "SETSLOT", slot, "NODE", id(to));
            }
        }
        Eventually.until("all nodes know of the move", PATIENCE, this::areOfOneEpoch);
    }

    private boolean areOfOneEpoch() {
        return nodes.stream()
                        .map(node -> call(node, "CLUSTER", "INFO"))
                        .filter(info -> !info.isEmpty())
                        .map(info -> info.replaceAll("(?s).*current_epoch:(\\d+).*", "$1"))
                        .distinct()
                        .count()
                == 1;
    }

    /// `redis+cluster://` with all nodes, and a name for the keys.
    public String url(String name) {
        return "redis+cluster://"
                + nodes.stream()
                        .map(node -> "127.0.0.1:" + port(node))
                        .collect(Collectors.joining(","))
                + "/"
                + name;
    }

    public RedisAddress address(String name) {
        return RedisAddress.parse(url(name));
    }

    @Override
    public void close() {
        nodes.forEach(RedisServerForTests::close);
    }
}
