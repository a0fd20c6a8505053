package dev.mawashi.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Each call gets its own reply or a failure that tells what may have been done, wherever the
/// connection is cut and whatever the server refuses.
class RedisConnectionIT extends ProxiedConnection {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private static final Duration A_MINUTE = Duration.ofSeconds(60);
    private static final byte[][] BLPOP = {
        RedisConnection.ascii("BLPOP"), RedisConnection.ascii("none"), RedisConnection.ascii("60")
    };

    RedisConnectionIT() {
        super(SERVER);
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
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
    void aRetiredConnectionSendsNothingMore() {
        connection.call("PING");
        connection.retire();

        assertThat(kind(() -> connection.call("SET", "k", "1")))
                .isEqualTo(RedisFailure.Kind.NOT_SENT);
        assertThat(kind(() -> connection.callBlocking(TIMEOUT, RedisConnection.ascii("PING"))))
                .isEqualTo(RedisFailure.Kind.NOT_SENT);
        assertThat(direct("GET", "k")).isNull();
    }

    @Test
    void whateverMomentItIsRetiredInTheWaitEnds() throws InterruptedException {
        Random random = new Random(1);
        for (int i = 0; i < 300; i++) {
            RedisConnection parked = SERVER.connect();
            parked.call("PING");
            CountDownLatch begins = new CountDownLatch(1);
            Thread waits =
                    Thread.ofPlatform()
                            .name("test-waits-1")
                            .start(() -> {
                                begins.countDown();
                                failure(() -> parked.callBlocking(A_MINUTE, BLPOP));
                            });
            begins.await();
            for (long end = System.nanoTime() + random.nextInt(200_000);
                    System.nanoTime() < end; ) {
                Thread.onSpinWait();
            }

            parked.retire();

            assertThat(waits.join(Duration.ofSeconds(20))).as("round " + i).isTrue();
            parked.close();
        }
    }

    @Test
    void anAbortedConnectionIsAnotherOneFromTheNextCallOn() {
        connection.call("PING");
        int before = connection.generation();
        connection.abort();

        assertThat(text(connection.call("PING"))).isEqualTo("PONG");
        assertThat(connection.generation()).isGreaterThan(before);
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
