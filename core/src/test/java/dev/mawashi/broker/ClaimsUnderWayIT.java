package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two claims under way on one connection, and what may become of them.
class ClaimsUnderWayIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final List<String> QUEUE = List.of("q");
    private static final int MANY_BYTES = 1 << 20;

    private final RedisConnection redis = SERVER.connect();
    private final FaultProxy proxy = new FaultProxy(SERVER.address());
    private final RedisBroker broker = new RedisBroker(proxy.address(), DeadLimits.DEFAULT);
    private final Claiming claiming = broker.claiming();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void openLeaseAndFill() {
        SERVER.flushAll();
        try (Leasing leasing = broker.leasing()) {
            leasing.open("a", QUEUE, Duration.ofMinutes(5));
        }
        // The script is known from here on.
        assertThat(claiming.claim(QUEUE, "a", 2, MANY_BYTES).leases()).isEmpty();
        redis.call("LPUSH", "queue:q", "1", "2", "3", "4", "5");
    }

    @AfterEach
    void close() {
        claiming.close();
        proxy.close();
        redis.close();
    }

    private List<String> queued() {
        List<String> all = new ArrayList<>();
        Object reply = Objects.requireNonNull(redis.call("LRANGE", "queue:q", "0", "-1"));
        for (Object value : (List<?>) reply) {
            all.add(new String((byte[]) value, StandardCharsets.UTF_8));
        }
        return all.reversed();
    }

    private void askTwice() {
        claiming.ask(QUEUE, "a", 2, MANY_BYTES);
        claiming.ask(QUEUE, "a", 2, MANY_BYTES);
    }

    private List<String> claim() {
        return BrokerContract.texts(claiming.claim(QUEUE, "a", 10, MANY_BYTES).leases());
    }

    @Test
    void whenBothRepliesAreLostTheNextClaimGivesBothBackInTheirOrder() {
        proxy.cutAfterReplyBytes(proxy.bursts() + 1, 0);
        askTwice();

        assertThatThrownBy(claiming::answer).isInstanceOf(RedisFailure.class);

        assertThat(claiming.asked()).isZero();
        assertThat(claim()).containsExactly("1", "2", "3", "4", "5");
        assertThat(queued()).isEmpty();
        assertThat(redis.call("HLEN", "mw:{queue:q}:inflight:a")).isEqualTo(5L + 1);
    }

    @Test
    void whenTheSecondReplyIsLostItsJobsAloneAreGivenBack() {
        askTwice();
        List<Lease> first = claiming.answer().leases();
        assertThat(BrokerContract.texts(first)).containsExactly("1", "2");
        // Its own reply may be here already; that to the third is not.
        proxy.holdReplies();
        claiming.ask(QUEUE, "a", 1, MANY_BYTES);
        proxy.cutAll();
        proxy.releaseReplies();

        List<String> rest = new ArrayList<>();
        while (claiming.asked() > 0) {
            try {
                rest.addAll(BrokerContract.texts(claiming.answer().leases()));
            } catch (RedisFailure _) {
                // Whatever was under way is given up by the next claim.
            }
        }
        rest.addAll(claim());

        assertThat(rest).containsExactly("3", "4", "5");
        assertThat(redis.call("HEXISTS", "mw:{queue:q}:inflight:a", token(first.getFirst())))
                .isEqualTo(1L);
    }

    private static String token(Lease lease) {
        return Long.toString(lease.token());
    }

    @Test
    void aClaimThatCannotBeSentGivesUpTheOneBeforeItToo() {
        proxy.holdReplies(); // the first one's would otherwise be here before the connection ends
        claiming.ask(QUEUE, "a", 2, MANY_BYTES);
        proxy.shut();
        proxy.releaseReplies();
        redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");

        // A first write into a socket that was closed may still succeed.
        assertThatThrownBy(
                        () -> {
                            for (int i = 0; i < 100; i++) {
                                claiming.ask(QUEUE, "a", 1, MANY_BYTES);
                            }
                            while (claiming.asked() > 0) {
                                claiming.answer();
                            }
                        })
                .isInstanceOf(RedisFailure.class);
        proxy.admit();

        assertThat(claiming.asked()).isZero();
        assertThat(claim()).containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void aForgottenScriptTakesNothingAndTheNextClaimSendsIt() {
        redis.call("SCRIPT", "FLUSH");
        askTwice();

        assertThat(claiming.answer().leases()).isEmpty();
        assertThat(claiming.answer().leases()).isEmpty();
        assertThat(claim()).containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void nothingElseIsSentBeforeAllAreAnswered() {
        askTwice();

        assertThatThrownBy(() -> claiming.giveBack(QUEUE, "a"))
                .isInstanceOf(IllegalStateException.class);

        assertThat(BrokerContract.texts(claiming.answer().leases())).containsExactly("1", "2");
        assertThat(BrokerContract.texts(claiming.answer().leases())).containsExactly("3", "4");
        claiming.giveBack(QUEUE, "a");
        assertThat(claim()).containsExactly("5");
    }
}
