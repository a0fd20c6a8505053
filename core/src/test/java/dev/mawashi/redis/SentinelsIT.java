package dev.mawashi.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Three real Sentinels, and connections that find the master by them.
@Tag("stack")
class SentinelsIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final RedisServerForTests first = new RedisServerForTests();
    private final RedisServerForTests second =
            new RedisServerForTests("--replicaof", "127.0.0.1 " + first.ownAddress().port());

    @AfterEach
    void stop() {
        second.close();
        first.close();
    }

    private static RedisConnection connect(String url) {
        return new RedisConnection(RedisAddress.parse(url), "test", TIMEOUT);
    }

    private static int port(RedisConnection connection) {
        byte[] info = (byte[]) connection.call("INFO", "server");
        String text = new String(info, UTF_8);
        return Integer.parseInt(text.replaceAll("(?s).*tcp_port:(\\d+).*", "$1"));
    }

    @Test
    void aConnectionFollowsTheMasterAlsoWithoutTheFirstSentinel() {
        try (SentinelsForTests sentinels = new SentinelsForTests(first.ownAddress());
                RedisConnection connection = connect(sentinels.url())) {
            sentinels.awaitReady(1);
            assertThat(port(connection)).isEqualTo(first.ownAddress().port());
            connection.call("SET", "key", "kept");

            sentinels.killOne();
            sentinels.failover();
            Eventually.until(
                    "the other is the master",
                    LONG,
                    () -> sentinels.master() == second.ownAddress().port());
            Eventually.until("a write there", LONG, () -> writes(connection, second));

            second.kill();
            Eventually.until(
                    "the first is the master again",
                    LONG,
                    () -> sentinels.master() == first.ownAddress().port());
            Eventually.until("a write there", LONG, () -> writes(connection, first));
            assertThat((byte[]) connection.call("GET", "key")).asString(UTF_8).isEqualTo("kept");
        }
    }

    /// The old master takes writes until a Sentinel has made a replica of it.
    private static boolean writes(RedisConnection connection, RedisServerForTests there) {
        try {
            connection.call("SET", "other", "1");
            return port(connection) == there.ownAddress().port();
        } catch (RedisFailure _) {
            return false;
        }
    }

    @Test
    void whatSentinelsDoNotKnowOrWantIsNamed() {
        try (SentinelsForTests sentinels =
                new SentinelsForTests(first.ownAddress(), "requirepass secret")) {
            String url = sentinels.url();
            assertRefused(url, "wants ?sentinel_password=PASSWORD in the URL");
            assertRefused(url + "?sentinel_password=wrong", "WRONGPASS");
            assertRefused(
                    url.replace("/main/", "/other/") + "?sentinel_password=secret",
                    "knows no master of this name");
            try (RedisConnection connection = connect(url + "?sentinel_password=secret")) {
                assertThat(port(connection)).isEqualTo(first.ownAddress().port());
            }
        }
    }

    @Test
    void whatIsNoSentinelIsNamed() {
        String place = "127.0.0.1:" + first.ownAddress().port();
        assertRefused("redis+sentinel://" + place + "/main/0", place + ": it is no Sentinel");
        second.kill();
        assertRefused(
                "redis+sentinel://127.0.0.1:" + second.ownAddress().port() + "/main/0",
                "cannot reach 127.0.0.1:" + second.ownAddress().port());
    }

    /// As one that was away during a failover.
    @Test
    void aReplicaIsNotTakenForTheMaster() {
        int replica = second.ownAddress().port();
        Eventually.until("a replica", LONG, this::isReplica);
        try (AnsweringServer sentinel =
                new AnsweringServer(command -> answer(command, named(second)))) {
            assertRefused(
                    "redis+sentinel://127.0.0.1:" + sentinel.address().port() + "/main",
                    "127.0.0.1:" + replica + ", the master of redis+sentinel://");
        }
    }

    /// A connection may be made in the moment in which another asks and hears of another master.
    @Test
    void oneToAFormerMasterIsCutAndIsNotCurrent() {
        AtomicInteger asked = new AtomicInteger();
        AtomicBoolean isCut = new AtomicBoolean();
        UnaryOperator<String> answers =
                command -> {
                    boolean isLater = command.contains("SENTINEL") && asked.incrementAndGet() > 1;
                    return answer(command, named(isLater ? second : first));
                };
        try (AnsweringServer sentinel = new AnsweringServer(answers)) {
            RedisAddress address =
                    RedisAddress.parse(
                            "redis+sentinel://127.0.0.1:" + sentinel.address().port() + "/main");
            Connector one = new Connector(address, "test", TIMEOUT, () -> isCut.set(true));
            try (BoundedConnection _ = one.connect()) {
                Eventually.until("it is cut", LONG, isCut::get);
                assertThat(one.isCurrent()).isFalse();
                one.closed();
            }
        }
    }

    private static String named(RedisServerForTests server) {
        return "*2\r\n$9\r\n127.0.0.1\r\n$5\r\n" + server.ownAddress().port() + "\r\n";
    }

    private static String answer(String command, String place) {
        if (command.contains("HELLO")) {
            return AnsweringServer.LOGGED_IN;
        }
        return command.contains("SENTINEL") ? place : "+OK\r\n";
    }

    private boolean isReplica() {
        try (RedisConnection connection = second.connect()) {
            return new String((byte[]) connection.call("INFO", "replication"), UTF_8)
                    .contains("role:slave");
        }
    }

    private static void assertRefused(String url, String reason) {
        try (RedisConnection connection = connect(url)) {
            assertThatThrownBy(() -> connection.call("PING"))
                    .isInstanceOf(RedisFailure.class)
                    .hasMessageContaining(reason)
                    .hasMessageContaining("redis+sentinel://127.0.0.1:")
                    .message()
                    .doesNotContain("secret", "wrong");
        }
    }
}
