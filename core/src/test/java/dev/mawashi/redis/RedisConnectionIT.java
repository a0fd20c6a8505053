package dev.mawashi.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mawashi.Eventually;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisConnectionIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final FaultProxy proxy = new FaultProxy(SERVER.address());
    private final RedisConnection connection =
            new RedisConnection(proxy.address(), "test", TIMEOUT);

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    @AfterEach
    void close() {
        connection.close();
        proxy.close();
    }

    private static @Nullable String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : null;
    }

    private static @Nullable String direct(String... command) {
        try (RedisConnection redis = SERVER.connect()) {
            return text(redis.call(command));
        }
    }

    private static RedisFailure failure(ThrowingCallable call) {
        return catchThrowableOfType(RedisFailure.class, call);
    }

    private static RedisFailure.Kind kind(ThrowingCallable call) {
        return failure(call).kind();
    }

    /// The number that the next burst of this connection gets.
    private int nextBurst() {
        connection.call("PING");
        return proxy.bursts() + 1;
    }

    @Test
    void whatIsCutBeforeItIsSentIsOfUnknownEffectAndWasNotDone() {
        proxy.cutBeforeSend(nextBurst());

        assertThat(kind(() -> connection.call("SET", "k", "1")))
                .isEqualTo(RedisFailure.Kind.UNKNOWN);
        assertThat(direct("GET", "k")).isNull();
    }

    @Test
    void whatIsCutBeforeItsReplyIsOfUnknownEffectAndWasDone() {
        proxy.cutAfterReplyBytes(nextBurst(), 0);

        assertThat(kind(() -> connection.call("SET", "k", "1")))
                .isEqualTo(RedisFailure.Kind.UNKNOWN);
        assertThat(direct("GET", "k")).isEqualTo("1");
    }

    @Test
    void withoutAServerNothingIsSent() {
        proxy.close();

        RedisFailure failure = failure(() -> connection.call("SET", "k", "1"));

        assertThat(failure.kind()).isEqualTo(RedisFailure.Kind.NOT_SENT);
        assertThat(failure.reason()).contains(proxy.address().toString());
    }

    @Test
    void aServerThatHangsUpDuringLogInWasSentNothing() {
        proxy.shut();

        assertThat(kind(() -> connection.call("SET", "k", "1")))
                .isEqualTo(RedisFailure.Kind.NOT_SENT);
        proxy.admit();
        assertThat(text(connection.call("PING"))).isEqualTo("PONG");
    }

    @Test
    void anErrorReplyIsARefusalWithItsCode() {
        direct("SET", "k", "text");

        RedisFailure failure = failure(() -> connection.call("LPUSH", "k", "1"));

        assertThat(failure.kind()).isEqualTo(RedisFailure.Kind.REFUSED);
        assertThat(failure.code()).isEqualTo("WRONGTYPE");
        assertThat(text(connection.call("GET", "k"))).isEqualTo("text");
    }

    @Test
    void aWrongPasswordIsARefusalThatDoesNotTellIt() {
        direct("CONFIG", "SET", "requirepass", "right");
        String url = "redis://:wr0ng@127.0.0.1:" + SERVER.address().port();
        try (RedisConnection guest =
                new RedisConnection(RedisAddress.parse(url), "test", TIMEOUT)) {
            RedisFailure failure = failure(() -> guest.call("PING"));
            assertThat(failure.kind()).isEqualTo(RedisFailure.Kind.REFUSED);
            assertThat(failure.code()).isEqualTo("WRONGPASS");
            assertThat(failure.reason()).doesNotContain("wr0ng");
        } finally {
            String right = "redis://:right@127.0.0.1:" + SERVER.address().port();
            try (RedisConnection host =
                    new RedisConnection(RedisAddress.parse(right), "test", TIMEOUT)) {
                host.call("CONFIG", "SET", "requirepass", "");
            }
        }
    }

    @Test
    void aRefusalInAPipelineLeavesTheOtherRepliesInTheirPlaces() {
        direct("SET", "k", "text");
        connection.queue(words("ECHO", "a"));
        connection.queue(words("LPUSH", "k", "1"));
        connection.queue(words("ECHO", "b"));

        List<@Nullable Object> replies = connection.flush();

        assertThat(text(replies.get(0))).isEqualTo("a");
        assertThat(replies.get(1)).isInstanceOf(RedisFailure.class);
        assertThat(text(replies.get(2))).isEqualTo("b");
    }

    @Test
    void anEmptyFlushSendsNothing() {
        int bursts = nextBurst();

        assertThat(connection.flush()).isEmpty();

        connection.call("PING");
        assertThat(proxy.bursts()).isEqualTo(bursts);
    }

    /// A reply of 100 bytes is cut after each of them; whatever the client has read by then, its
    /// next commands must get their own replies.
    @Test
    void noReplyIsEverTakenForAnotherCommandsReply() {
        int burst = nextBurst();
        List<String> expected = pipeline();
        int length = proxy.replyBytes(burst);
        assertThat(length).isGreaterThan(80);

        for (int bytes = 0; bytes < length; bytes++) {
            proxy.cutAfterReplyBytes(nextBurst(), bytes);
            assertThat(kind(this::pipeline))
                    .as("cut after %d bytes", bytes)
                    .isEqualTo(RedisFailure.Kind.UNKNOWN);
            assertThat(pipeline()).as("after a cut after %d bytes", bytes).isEqualTo(expected);
        }
        assertThat(proxy.firedCuts()).isEqualTo(length);
    }

    private List<String> pipeline() {
        connection.queue(words("ECHO", "first \r\n $3"));
        connection.queue(words("SET", "n", "41"));
        connection.queue(words("INCR", "n"));
        connection.queue(words("GET", "absent"));
        connection.queue(words("LPUSH", "n", "refused"));
        connection.queue(words("ECHO", "last"));
        List<String> seen = new ArrayList<>();
        for (Object reply : connection.flush()) {
            seen.add(reply instanceof byte[] ? "" + text(reply) : String.valueOf(reply));
        }
        return seen;
    }

    private static byte[][] words(String... words) {
        byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = RedisConnection.utf8(words[i]);
        }
        return bytes;
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
    void abortEndsAWaitOfAnotherThreadAndTheConnectionCanBeUsedAgain() throws Exception {
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
        waiter.join();

        assertThat(failures)
                .extracting(RedisFailure::kind)
                .containsExactly(RedisFailure.Kind.UNKNOWN);
        assertThat(text(connection.call("PING"))).isEqualTo("PONG");
    }

    private static boolean isBlocked() {
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

    @Test
    void aForgottenScriptIsSentAgainInsideAPipeline() {
        Script script = Script.beside(getClass(), "/dev/mawashi/broker/lapsed.lua");
        List<byte[]> keys = List.of(RedisConnection.utf8("none"));
        for (int i = 0; i < 3; i++) {
            direct("SCRIPT", "FLUSH");
            connection.queue(words("ECHO", "a"));
            connection.queueEval(script, keys, List.of());
            connection.queueEval(script, keys, List.of());
            connection.queue(words("ECHO", "b"));

            List<@Nullable Object> replies = connection.flush();

            assertThat(text(replies.get(0))).isEqualTo("a");
            assertThat(replies.subList(1, 3)).containsExactly(List.of(), List.of());
            assertThat(text(replies.get(3))).isEqualTo("b");
        }
    }

    /// A large argument takes the server several reads, and others' commands come in between.
    @Test
    void aScriptThatIsForgottenAllTheTimeIsRunAllTheSame() throws InterruptedException {
        Script script = Script.beside(getClass(), "/dev/mawashi/broker/lapsed.lua");
        List<byte[]> keys = List.of(RedisConnection.utf8("none"));
        AtomicBoolean isOver = new AtomicBoolean();
        Thread forgetting =
                Thread.ofPlatform()
                        .name("mawashi-test-1")
                        .start(() -> {
                            try (RedisConnection redis = SERVER.connect()) {
                                while (!isOver.get()) {
                                    redis.call("SCRIPT", "FLUSH");
                                }
                            }
                        });
        try (RedisConnection other = SERVER.connect()) {
            for (int i = 0; i < 100; i++) {
                assertThat(other.eval(script, keys, List.of(new byte[1 << 20])))
                        .isEqualTo(List.of());
            }
        } finally {
            isOver.set(true);
            forgetting.join();
        }
    }

    @Test
    void theGenerationTellsThatServerSideStateIsGone() {
        connection.call("PING");
        int first = connection.generation();
        connection.call("PING");
        assertThat(connection.generation()).isEqualTo(first);

        proxy.cutBeforeSend(nextBurst());
        assertThatThrownBy(() -> connection.call("PING")).isInstanceOf(RedisFailure.class);

        assertThat(connection.generation()).isNotEqualTo(first);
    }
}
