package dev.mawashi.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.FailurePlace;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One settlement that Redis refuses, beside many that it takes.
class SettlerIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final FailurePlace FAILED =
            new FailurePlace(new ResqueKeys("resque"), false, "me");
    private static final int GOOD_JOBS = 1_000;

    private final RedisConnection redis = SERVER.connect();
    private final RecordedEvents events = new RecordedEvents();
    private @Nullable Settler settler;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void empty() {
        SERVER.flushAll();
        redis.call("ACL", "SETUSER", "limited", "reset", "on", ">word", "+@all", "~*");
    }

    @AfterEach
    void stop() {
        if (settler != null) {
            settler.stop(Duration.ZERO);
        }
        redis.close();
    }

    private Settler settler(RedisAddress address) {
        RedisBroker broker = new RedisBroker(address, DeadLimits.DEFAULT);
        Settler fresh =
                new Settler(broker.settling(), events, new Outage(events, System::nanoTime));
        settler = fresh;
        fresh.start();
        return fresh;
    }

    private static RedisAddress limited() {
        String place = SERVER.url().substring("redis://".length());
        return RedisAddress.parse("redis://limited:word@" + place);
    }

    /// Jobs that are claimed and not settled.
    private List<Lease> claimed(int count) {
        for (int i = 0; i < count; i++) {
            redis.queue(words("LPUSH", "queue:q", "{\"class\":\"Job\",\"jid\":\"" + i + "\"}"));
        }
        redis.flush();
        RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
        try (Leasing leasing = broker.leasing();
                Claiming claiming = broker.claiming()) {
            leasing.open("me#0", List.of("q"), LONG);
            return claiming.claim(List.of("q"), "me#0", count, 1 << 20).leases();
        }
    }

    private static byte[][] words(String... words) {
        byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = RedisConnection.utf8(words[i]);
        }
        return bytes;
    }

    private long number(String... command) {
        return (Long) Objects.requireNonNull(redis.call(command));
    }

    private long inflight() {
        return number("HLEN", "mw:{queue:q}:inflight:me#0");
    }

    /// The first job is settled so, the others are done.
    private void settleOneSoAndAckTheOthers(RedisAddress address, Settlement odd) {
        List<Lease> leases = claimed(1 + GOOD_JOBS);
        Settler fresh = settler(address);
        fresh.settle(leases.getFirst(), odd);
        Eventually.until("it is refused", () -> !events.all().isEmpty());
        leases.subList(1, leases.size()).forEach(lease -> fresh.settle(lease, Settlement.ACK));
    }

    private void assertThatOnlyOneWaits() {
        Eventually.until("the others are settled", () -> inflight() == 1);
        assertThat(events.all()).hasExactlyElementsOfTypes(Event.SettlementRefused.class);
    }

    private static byte[] oops() {
        return RedisConnection.utf8("oops");
    }

    @Test
    void aDeadSetOfAWrongTypeStopsNothingElse() {
        redis.call("SET", "dead", "x");
        settleOneSoAndAckTheOthers(SERVER.address(), new Settlement.Bury(oops()));

        assertThatOnlyOneWaits();

        redis.call("DEL", "dead");
        Eventually.until("it is settled by itself", () -> inflight() == 0);
        assertThat(number("ZCARD", "dead")).isEqualTo(1);
    }

    @Test
    void aRetrySetOfAWrongTypeStopsNothingElse() {
        redis.call("SET", "retry", "x");
        settleOneSoAndAckTheOthers(
                SERVER.address(), new Settlement.Retry(oops(), Duration.ofHours(1)));

        assertThatOnlyOneWaits();

        redis.call("DEL", "retry");
        Eventually.until("it is settled by itself", () -> inflight() == 0);
        assertThat(number("ZCARD", "retry")).isEqualTo(1);
    }

    @Test
    void aKeyThatTheUserMayNotTouchStopsNothingElse() {
        redis.call("ACL", "SETUSER", "limited", "resetkeys", "~queue:*", "~mw:*", "~dead");
        settleOneSoAndAckTheOthers(limited(), new Settlement.Retry(oops(), Duration.ofHours(1)));

        assertThatOnlyOneWaits();

        redis.call("ACL", "SETUSER", "limited", "~retry");
        Eventually.until("it is settled by itself", () -> inflight() == 0);
        assertThat(number("ZCARD", "retry")).isEqualTo(1);
    }

    /// Its job would be both done and yet to be done, and a twin would join it at each try.
    @Test
    void aMoveThatCannotEndLeavesTheJobWhereItWas() {
        redis.call("ACL", "SETUSER", "limited", "-hdel");
        List<Lease> leases = claimed(3);
        Settler fresh = settler(limited());
        fresh.settle(leases.get(0), new Settlement.Retry(oops(), Duration.ofHours(1)));
        fresh.settle(leases.get(1), new Settlement.Bury(oops()));
        fresh.settle(leases.get(2), new Settlement.Fail(oops(), FAILED));

        assertThat(fresh.flush(LONG)).isFalse();

        assertThat(inflight()).isEqualTo(3);
        assertThat(number("EXISTS", "retry", "dead", "resque:failed")).isZero();
        redis.call("ACL", "SETUSER", "limited", "+hdel");
        Eventually.until("all are settled by themselves", () -> inflight() == 0);
        assertThat(number("ZCARD", "retry")).isEqualTo(1);
        assertThat(number("ZCARD", "dead")).isEqualTo(1);
        assertThat(number("LLEN", "resque:failed")).isEqualTo(1);
    }

    @Test
    void aFailureWhoseJobRedisHasLostIsSaidByName() {
        List<Lease> leases = claimed(3);
        SERVER.flushAll();
        Settler fresh = settler(SERVER.address());
        fresh.settle(
                leases.get(0), new Settlement.Retry(leases.get(0).payload(), Duration.ofHours(1)));
        fresh.settle(leases.get(1), new Settlement.Bury(leases.get(1).payload()));
        fresh.settle(leases.get(2), Settlement.ACK);

        assertThat(fresh.flush(LONG)).isTrue();

        assertThat(events.of(Event.FailureLost.class))
                .extracting(Event.FailureLost::job)
                .containsExactlyInAnyOrder(
                        new Event.JobName("q", "Job", "0"), new Event.JobName("q", "Job", "1"));
        assertThat(number("EXISTS", "retry", "dead")).isZero();
    }
}
