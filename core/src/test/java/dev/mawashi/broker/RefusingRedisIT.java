package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a Redis refuses, since a key has a wrong type, memory is full or a user may not: the
/// refused job stays where it is, is told, and holds up no other.
class RefusingRedisIT extends BrokerHands {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final RedisConnection REDIS = SERVER.connect();

    private final RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
    private final RedisPlaces places = new RedisPlaces(REDIS);

    @AfterAll
    static void stopServer() {
        REDIS.close();
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        REDIS.call("CONFIG", "SET", "maxmemory", "0");
        REDIS.call("FLUSHALL");
    }

    @Override
    Broker broker() {
        return broker;
    }

    @Override
    Places places() {
        return places;
    }

    /// A broker whose user may not call this command.
    private static RedisBroker without(String command) {
        REDIS.call(
                "ACL", "SETUSER", "some", "reset", "on", ">pw", "~*", "&*", "+@all", "-" + command);
        String port = Integer.toString(SERVER.address().port());
        RedisAddress some = RedisAddress.parse("redis://some:pw@127.0.0.1:" + port);
        return new RedisBroker(some, DeadLimits.DEFAULT);
    }

    @Test
    void aRefusedPushIsToldByItsPlace() {
        REDIS.call("SET", "queue:b", "no list");
        try (Enqueuing enqueuing = broker.enqueuing()) {
            enqueuing.push("a", List.of(bytes("1")));
            enqueuing.push("b", List.of(bytes("2")));
            enqueuing.schedule(Instant.EPOCH, bytes("3"));
            assertThat(enqueuing.flush()).containsOnlyKeys(1);

            enqueuing.push("a", List.of(bytes("4")));
            assertThat(enqueuing.flush()).isEmpty();
        }
        assertThat(queued("a")).containsExactly("1", "4");
        assertThat(scheduled(Scheduling.From.SCHEDULE)).containsExactly("3");
    }

    @Test
    void aFullServerRefusesNewJobsAndLetsTheOldOnesBeWorkedOff() {
        open("a", "q");
        push("q", "1", "2", "3", "4");
        REDIS.call("CONFIG", "SET", "maxmemory", "1");

        assertThatThrownBy(() -> push("q", "5"))
                .isInstanceOfSatisfying(
                        RedisFailure.class,
                        failure -> {
                            assertThat(failure.kind()).isEqualTo(RedisFailure.Kind.REFUSED);
                            assertThat(failure.code()).isEqualTo("OOM");
                        });
        List<Lease> leases = claim("a", 4, "q");
        assertThat(leases).hasSize(4);
        settle(leases.subList(0, 1), Settlement.ACK);
        settle(leases.subList(1, 2), new Settlement.Retry(bytes("2'"), Duration.ofMinutes(1)));
        settle(leases.subList(2, 3), new Settlement.Bury(bytes("3'")));
        settle(leases.subList(3, 4), Settlement.REQUEUE);

        assertThat(scheduled(Scheduling.From.RETRY)).containsExactly("2'");
        assertThat(dead()).containsExactly("3'");
        assertThat(queued("q")).containsExactly("4");
    }

    @Test
    void aQueueKeyOfAWrongTypeDoesNotKeepOthersFromBeingClaimed() {
        open("a", "bad", "good");
        REDIS.call("SET", "queue:bad", "not a list");
        push("good", "1");

        try (Claiming claiming = broker.claiming()) {
            Claiming.Claimed claimed = claiming.claim(List.of("bad", "good"), "a", 5, 100);
            assertThat(texts(claimed.leases())).containsExactly("1");
            assertThat(claimed.unusable()).containsExactly("bad");
        }
    }

    @Test
    void aLeaseKeyOfAWrongTypeIsToldAndHoldsUpNoOther() {
        REDIS.call("SET", "mw:{queue:bad}:leases", "wrong");
        List<String> queues = List.of("bad", "q");
        try (Leasing leasing = broker.leasing()) {
            Leasing.Kept opened = leasing.open("a", queues, Duration.ofMinutes(5));
            Leasing.Kept renewed = leasing.renew("a", queues, Duration.ofMinutes(5));

            assertThat(opened.refused()).containsOnlyKeys("bad");
            assertThat(renewed.refused().get("bad")).contains("WRONGTYPE");
        }
        assertThat(REDIS.call("ZCARD", "mw:{queue:q}:leases")).isEqualTo(1L);
        push("bad", "1");
        push("q", "2");
        try (Claiming claiming = broker.claiming()) {
            Claiming.Claimed claimed = claiming.claim(queues, "a", 10, 1 << 20);
            assertThat(texts(claimed.leases())).containsExactly("2");
            assertThat(claimed.unusable()).containsExactly("bad");
        }
        assertThat(queued("bad")).containsExactly("1");
    }

    @Test
    void anInFlightKeyOfAWrongTypeKeepsItsQueueAndHoldsUpNoOther() {
        List<String> queues = List.of("q", "bad");
        open("a", "q", "bad");
        REDIS.call("SET", "mw:{queue:bad}:inflight:a", "wrong");
        push("bad", "1");
        push("q", "2");
        try (Claiming claiming = broker.claiming()) {
            assertThat(texts(claiming.claim(queues, "a", 10, 1 << 20).leases()))
                    .containsExactly("2");
        }
        assertThat(queued("bad")).containsExactly("1");
    }

    @Test
    void aRefusedSettlementIsHandedBackAndTheOthersAreDone() {
        open("a", "q");
        push("q", "1", "2");
        List<Lease> leases = claim("a", 2, "q");
        REDIS.call("SET", "retry", "not a set");

        SettleReport report;
        try (Settling settling = broker.settling()) {
            report =
                    settling.settle(
                            List.of(
                                    new Settled(
                                            leases.get(0),
                                            new Settlement.Retry(bytes("1'"), Duration.ZERO)),
                                    new Settled(leases.get(1), Settlement.ACK)));
        }

        assertThat(report.refused())
                .extracting(one -> one.settled().lease())
                .containsExactly(leases.get(0));
        assertThat(report.refused()).allMatch(one -> one.reason().isOfOneCommand());
        assertThat(report.late()).isZero();
        try (Leasing leasing = broker.leasing()) {
            assertThat(leasing.release("a", List.of("q"))).isEqualTo(1);
        }
        assertThat(queued("q")).containsExactly("1");
    }

    @Test
    void aDeadSetOfAWrongTypeLosesNoPayloadOverTheLimit() {
        open("a", "q");
        REDIS.call("SET", "dead", "not a set");
        push("q", "1", "x".repeat(RedisBroker.PAYLOAD_BYTES_MAX + 1), "2");

        try (Claiming claiming = broker.claiming()) {
            Claiming.Claimed claimed = claiming.claim(List.of("q"), "a", 5, 64 << 20);
            assertThat(texts(claimed.leases())).containsExactly("1");
            assertThat(claimed.unusable()).containsExactly("q");
            assertThat(claimed.buried()).isZero();
        }
        assertThat(REDIS.call("LLEN", "queue:q")).isEqualTo(2L);
        assertThat(REDIS.call("LINDEX", "queue:q", "0")).isEqualTo(bytes("2"));
    }

    @Test
    void aSuspectStaysWhereItIsWhenItsCrashesCannotBeRead() {
        open("a", "q");
        REDIS.call("RPUSH", "mw:{queue:q}:suspects", "3", "2", "1");
        REDIS.call("SET", "mw:{queue:q}:alone", "no hash");
        try (Claiming claiming = broker.claiming()) {
            assertThatThrownBy(() -> claiming.claimSuspect(List.of("q"), "a"))
                    .hasMessageContaining("WRONGTYPE");
        }
        assertThat(REDIS.call("LLEN", "mw:{queue:q}:suspects")).isEqualTo(3L);

        REDIS.call("DEL", "mw:{queue:q}:alone");
        try (Claiming claiming = broker.claiming()) {
            Lease lease = claiming.claimSuspect(List.of("q"), "a").orElseThrow().lease();
            assertThat(texts(List.of(lease))).containsExactly("1");
        }
    }

    @Test
    void aSuspectThatMayNotBeWrittenDownStaysWhereItIs() {
        open("a", "q");
        REDIS.call("RPUSH", "mw:{queue:q}:suspects", "2", "1");
        try (Claiming claiming = without("hset").claiming()) {
            assertThatThrownBy(() -> claiming.claimSuspect(List.of("q"), "a"))
                    .isInstanceOf(RedisFailure.class);
        }
        assertThat(REDIS.call("LINDEX", "mw:{queue:q}:suspects", "1")).isEqualTo(bytes("1"));
        assertThat(REDIS.call("LLEN", "mw:{queue:q}:suspects")).isEqualTo(2L);
    }

    @Test
    void aClaimThatMayNotBeWrittenDownTakesNothing() {
        open("a", "q");
        push("q", "1", "2", "3");
        try (Claiming claiming = without("hset").claiming()) {
            Claiming.Claimed claimed = claiming.claim(List.of("q"), "a", 5, 1_000);

            assertThat(claimed.leases()).isEmpty();
            assertThat(claimed.unusable()).containsExactly("q");
        }
        assertThat(queued("q")).containsExactly("1", "2", "3");
        assertThat(texts(claim("a", 5, "q"))).containsExactly("1", "2", "3");
    }
}
