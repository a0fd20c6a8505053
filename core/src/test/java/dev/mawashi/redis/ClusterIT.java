package dev.mawashi.redis;

import static dev.mawashi.redis.RedisConnection.utf8;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mawashi.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Connections that find the node of a Cluster which has their keys.
@Tag("stack")
class ClusterIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final ClusterForTests CLUSTER = new ClusterForTests(1);

    /// Takes the one element of a list, whose key is gone then, and only then looks at it.
    private static final Script TAKE_AND_LOOK = Script.beside(ClusterIT.class, "take_and_look.lua");

    private static final AtomicInteger NAMES = new AtomicInteger();

    /// Each test has keys of its own.
    private final String name = "shop" + NAMES.incrementAndGet();

    @AfterAll
    static void stopServers() {
        CLUSTER.close();
    }

    private static RedisConnection connect(String url) {
        return new RedisConnection(RedisAddress.parse(url), "test", TIMEOUT);
    }

    private RedisConnection connect() {
        return connect(CLUSTER.url(name));
    }

    private static @Nullable String get(RedisConnection connection, String key) {
        return connection.call("GET", key) instanceof byte[] value
                ? new String(value, UTF_8)
                : null;
    }

    private static boolean gets(RedisConnection connection, String key, String value) {
        try {
            return value.equals(get(connection, key));
        } catch (RedisFailure failure) {
            assertThat(failure.isOfOneCommand()).isFalse();
            return false;
        }
    }

    @Test
    void allKeysHaveOneSlotAndItsNode() {
        try (RedisConnection connection = connect();
                RedisConnection owner = CLUSTER.owner(name).connect()) {
            connection.call("SET", "a", "1");
            connection.call("SET", "{queue:b}:c", "2");
            List<?> found =
                    (List<?>)
                            requireNonNull(
                                    connection.call("SCAN", "0", "MATCH", "*", "COUNT", "10000"));

            assertThat(get(owner, "{" + name + "}:a")).isEqualTo("1");
            assertThat(get(owner, "{" + name + "}:{queue:b}:c")).isEqualTo("2");
            assertThat((List<?>) found.getLast())
                    .extracting(key -> new String((byte[]) key, UTF_8))
                    .containsExactlyInAnyOrder("a", "{queue:b}:c");
        }
    }

    @Test
    void aConnectionFollowsItsKeysToAnotherNode() {
        try (RedisConnection connection = connect()) {
            connection.call("SET", "key", "kept");
            RedisServerForTests other = CLUSTER.another(name);

            CLUSTER.beginMove(name, other);
            CLUSTER.endMove(name, other);

            Eventually.until("it is there", LONG, () -> gets(connection, "key", "kept"));
            assertThat(CLUSTER.owner(name)).isSameAs(other);
        }
    }

    @Test
    void aReplicaThatIsPromotedIsFollowed() {
        try (ClusterForTests cluster = new ClusterForTests(1);
                RedisConnection connection = connect(cluster.url(name))) {
            connection.call("SET", "key", "kept");
            connection.call("WAIT", "1", "30000");

            cluster.owner(name).kill();

            Eventually.until("another has it", LONG, () -> gets(connection, "key", "kept"));
            connection.call("SET", "key", "new");
            assertThat(get(connection, "key")).isEqualTo("new");
        }
    }

    /// A node would do a part of it: the list's key is missing once it is empty, and a missing key
    /// of a slot that moves may be elsewhere.
    @Test
    void whileTheSlotMovesAScriptRunsAsAWholeOrNotAtAll() {
        List<byte[]> keys = List.of(utf8("list"), utf8("taken"));
        try (RedisConnection connection = connect();
                RedisConnection owner = CLUSTER.owner(name).connect()) {
            connection.call("RPUSH", "list", "job");
            connection.call("RPUSH", "taken", "before");
            RedisServerForTests other = CLUSTER.another(name);
            CLUSTER.beginMove(name, other);

            assertThatThrownBy(() -> connection.eval(TAKE_AND_LOOK, keys, List.of()))
                    .isInstanceOfSatisfying(
                            RedisFailure.class,
                            failure -> {
                                assertThat(failure.kind()).isEqualTo(RedisFailure.Kind.NOT_SENT);
                                assertThat(failure).hasMessageFindingMatch("ASK|TRYAGAIN");
                            });
            assertThat(owner.call("LLEN", "{" + name + "}:list")).isEqualTo(1L);
            assertThat(owner.call("LLEN", "{" + name + "}:taken")).isEqualTo(1L);

            CLUSTER.endMove(name, other);
            Eventually.until("it runs there", LONG, () -> takes(connection, keys));
            assertThat(connection.call("LLEN", "taken")).isEqualTo(2L);
        }
    }

    @Test
    void aWaitThatIsRefusedIsNotBegunAgainElsewhere() {
        Duration wait = Duration.ofSeconds(20);
        try (RedisConnection connection = connect()) {
            RedisServerForTests owner = CLUSTER.owner(name);
            RedisServerForTests other = CLUSTER.another(name);
            ClusterForTests.call(owner, "CONFIG", "RESETSTAT");
            CLUSTER.beginMove(name, other);
            CompletableFuture<Void> end =
                    CompletableFuture.runAsync(() -> {
                        Eventually.until("it is refused", LONG, () -> hasRefusedAWait(owner));
                        CLUSTER.endMove(name, other);
                    });

            assertThatThrownBy(() ->
                            connection.callBlocking(
                                    wait, utf8("BLPOP"), utf8("nothing"), utf8("20")))
                    .isInstanceOfSatisfying(
                            RedisFailure.class,
                            failure ->
                                    assertThat(failure.kind())
                                            .isEqualTo(RedisFailure.Kind.NOT_SENT));
            end.join();
        }
    }

    private static boolean hasRefusedAWait(RedisServerForTests node) {
        return Pattern.compile("cmdstat_blpop:.*rejected_calls=[1-9]")
                .matcher(ClusterForTests.call(node, "INFO", "commandstats"))
                .find();
    }

    private static boolean takes(RedisConnection connection, List<byte[]> keys) {
        try {
            return Long.valueOf(2).equals(connection.eval(TAKE_AND_LOOK, keys, List.of()));
        } catch (RedisFailure failure) {
            assertThat(failure.kind()).isEqualTo(RedisFailure.Kind.NOT_SENT);
            return false;
        }
    }

    @Test
    void aWatchReportsChangesAlsoWhereTheKeysHaveGone() throws Exception {
        try (RedisConnection writer = connect();
                KeyWatch watch = new KeyReports(connect(), this::connect).watch("key"::equals)) {
            Eventually.until("it is watched", LONG, () -> sees(watch, writer, "1"));
            RedisServerForTests other = CLUSTER.another(name);
            CLUSTER.beginMove(name, other);
            CLUSTER.endMove(name, other);
            Eventually.until("it is watched there", LONG, () -> sees(watch, writer, "2"));
        }
    }

    /// Whether a change is reported by the key's name, as only a watched one is.
    private static boolean sees(KeyWatch watch, RedisConnection writer, String value) {
        try {
            boolean isWatched = watch.track();
            watch.connection().call("GET", "key");
            watch.noteReads();
            KeyWatch.Changes _ = watch.takeChanges();
            writer.call("SET", "key", value);
            watch.await(Duration.ofSeconds(1));
            return isWatched && watch.takeChanges().keys().contains("key");
        } catch (RedisFailure failure) {
            assertThat(failure.isOfOneCommand()).isFalse();
            return false;
        }
    }

    @Test
    void whatIsNoClusterOrNotReachedIsNamed() {
        try (RedisServerForTests server = new RedisServerForTests()) {
            String place = "127.0.0.1:" + server.ownAddress().port();
            assertRefused(
                    "redis+cluster://" + place + "/shop",
                    place + ": it is no node of a Cluster: write redis:// for a server");
            server.kill();
            assertRefused("redis+cluster://:secret@" + place + "/shop", "cannot reach " + place);
        }
        try (RedisServerForTests alone = ClusterForTests.node()) {
            String url = alone.url().replace("redis://", "redis+cluster://").replace("/0", "/shop");
            assertRefused(url, "the Cluster is down (see redis-cli CLUSTER INFO there)");
            try (RedisConnection admin = alone.connect()) {
                admin.call("CONFIG", "SET", "cluster-require-full-coverage", "no");
                admin.call("CLUSTER", "ADDSLOTS", "0");
            }
            ClusterForTests.awaitUp(alone);
            assertRefused(url, "no node has the slot " + ClusterForTests.slot("shop"));
        }
    }

    /// Each may take a second.
    @Test
    void ofManyNodesThatAreAwayAFewAreAskedAtOnce() {
        try (HeldPort nobody = new HeldPort()) {
            String url =
                    IntStream.rangeClosed(1, 7)
                            .mapToObj(i -> "127.0.0." + i + ":" + nobody.number())
                            .collect(joining(",", "redis+cluster://", "/shop"));
            try (RedisConnection connection = connect(url)) {
                assertThat(hostsAsked(connection)).containsExactly(1, 2, 3, 4, 5);
                assertThat(hostsAsked(connection)).containsExactly(6, 7, 1, 2, 3);
            }
        }
    }

    private static List<Integer> hostsAsked(RedisConnection connection) {
        RedisFailure failure =
                catchThrowableOfType(RedisFailure.class, () -> connection.call("PING"));
        return Pattern.compile("cannot reach 127\\.0\\.0\\.(\\d):")
                .matcher(failure.reason())
                .results()
                .map(found -> Integer.valueOf(found.group(1)))
                .toList();
    }

    @Test
    void aNodeThatIsNamedAsAServerIsExplained() {
        RedisServerForTests node = CLUSTER.another("shop");
        try (RedisConnection connection = node.connect()) {
            assertThatThrownBy(() -> connection.call("GET", "{shop}:a"))
                    .isInstanceOfSatisfying(
                            RedisFailure.class,
                            failure ->
                                    assertThat(failure.explanation())
                                            .contains("write redis+cluster:// in the Redis URL"));
        }
    }

    private static void assertRefused(String url, String reason) {
        try (RedisConnection connection = connect(url)) {
            assertThatThrownBy(() -> connection.call("PING"))
                    .isInstanceOf(RedisFailure.class)
                    .hasMessageContaining(reason)
                    .hasMessageContaining("the node with the keys of redis+cluster://127.0.0.1:")
                    .message()
                    .doesNotContain("secret");
        }
    }
}
