package dev.mawashi.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;

/// Calls that end without a reply, by their time limit or by `abort`: the connection can be used
/// again, and a reply that comes late is nobody's.
class GivenUpCallsIT extends ProxiedConnection {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration SHORT = Duration.ofSeconds(1);

    GivenUpCallsIT() {
        super(SERVER);
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @Test
    void aReplyThatComesAfterTheTimeLimitIsNeverRead() {
        try (RedisConnection hasty = new RedisConnection(proxy.address(), "test", SHORT)) {
            awaitReply(hasty, "first");
            proxy.holdReplies();
            assertThat(kind(() -> hasty.call("ECHO", "late"))).isEqualTo(RedisFailure.Kind.UNKNOWN);
            proxy.releaseReplies();

            awaitReply(hasty, "own");
        }
    }

    /// As often as it takes within so short a limit; what it gets is its own.
    private static void awaitReply(RedisConnection hasty, String word) {
        Eventually.until(
                "a reply in time",
                () -> {
                    try {
                        assertThat(text(hasty.call("ECHO", word))).isEqualTo(word);
                        return true;
                    } catch (RedisFailure _) {
                        return false;
                    }
                });
    }

    /// The library would open another socket, and neither log in there nor choose the database.
    @Test
    void oneThatIsCutBeforeItsCommandDoesNotSendItElsewhere() {
        RedisAddress third = RedisAddress.parse(SERVER.url().replaceAll("/0$", "/3"));
        try (RedisConnection connection = new RedisConnection(third, "test", SHORT);
                RedisConnection look = SERVER.connect()) {
            BoundedConnection open = connection.open();
            connection.abort();

            assertThatThrownBy(
                            () -> {
                                open.sendCommand(Protocol.Command.INCR, "cut");
                                open.getOne();
                            })
                    .isInstanceOf(JedisConnectionException.class);
            assertThat(look.call("EXISTS", "cut")).isEqualTo(0L);
            assertThat(connection.call("INCR", "cut")).isEqualTo(1L);
            assertThat(look.call("EXISTS", "cut")).isEqualTo(0L);
        }
    }

    @Test
    void aServerThatSaysNothingIsGivenUp() {
        try (RedisConnection hasty = new RedisConnection(proxy.address(), "test", SHORT)) {
            awaitReply(hasty, "first");
            proxy.silence();

            assertThat(kind(() -> hasty.call("SET", "k", "1")))
                    .isEqualTo(RedisFailure.Kind.UNKNOWN);
        }
        assertThat(direct("GET", "k")).isNull();
    }

    @Test
    void aBlockingCallWaitsBeyondTheTimeLimitAndTheLimitHoldsAgainAfterwards() {
        try (RedisConnection hasty = new RedisConnection(proxy.address(), "test", SHORT)) {
            hasty.callBlocking(SHORT.multipliedBy(3), words("BLPOP", "none", "1.5"));

            proxy.silence();
            assertThat(kind(() -> hasty.call("PING"))).isEqualTo(RedisFailure.Kind.UNKNOWN);
        }
    }

    @Test
    void abortEndsAWaitOfAnotherThreadAndTheConnectionCanBeUsedAgain() {
        List<RedisFailure> failures = new ArrayList<>();
        Thread waiter =
                Thread.ofVirtual()
                        .name("mawashi-test-1")
                        .start(() ->
                                failures.add(
                                        failure(() ->
                                                connection.callBlocking(
                                                        TIMEOUT, words("BLPOP", "none", "60")))));
        Eventually.until("it waits", () -> isBlocked());

        connection.abort();
        Eventually.until("the wait ends", END_MAX, () -> !waiter.isAlive());

        assertThat(failures)
                .extracting(RedisFailure::kind)
                .containsExactly(RedisFailure.Kind.UNKNOWN);
        assertThat(text(connection.call("PING"))).isEqualTo("PONG");
    }

    private boolean isBlocked() {
        return String.valueOf(direct("INFO", "clients")).contains("blocked_clients:1");
    }

    /// `abort` may strike at any moment of a call; each call then ends with its own reply or with a
    /// `RedisFailure`.
    @Test
    void abortAtAnyMomentLeavesOnlyRepliesAndFailures() throws Exception {
        List<Throwable> others = new ArrayList<>();
        Thread user =
                Thread.ofPlatform()
                        .name("mawashi-test-1")
                        .start(() -> {
                            for (int i = 0; i < 3_000; i++) {
                                use(connection, i, others);
                            }
                        });
        while (user.isAlive()) {
            connection.abort();
            user.join(Duration.ofNanos(200_000));
        }

        assertThat(others).isEmpty();
    }

    private static void use(RedisConnection connection, int i, List<Throwable> others) {
        try {
            Object reply =
                    connection.callBlocking(Duration.ofMillis(10), words("ECHO", "reply " + i));
            assertThat(text(reply)).isEqualTo("reply " + i);
        } catch (RedisFailure _) {
            // What an abort is meant to cause.
        } catch (RuntimeException | AssertionError other) {
            others.add(other);
        }
    }
}
