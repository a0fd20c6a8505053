package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The contract on a real Redis, and what only a real one can do to us.
class RedisBrokerIT extends BrokerContract {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final RedisConnection REDIS = SERVER.connect();

    private final RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
    private final RedisPast past = new RedisPast(REDIS);

    @AfterAll
    static void stopServer() {
        REDIS.close();
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        try (RedisConnection redis = SERVER.connect()) {
            redis.call("CONFIG", "SET", "maxmemory", "0");
            redis.call("FLUSHALL");
        }
    }

    @Override
    Broker broker() {
        return broker;
    }

    @Override
    Broker anotherProcess() {
        return new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
    }

    @Override
    void save() {
        past.save();
    }

    @Override
    void goBack() {
        past.goBack();
    }

    private static Object call(String... command) {
        try (RedisConnection redis = SERVER.connect()) {
            return Objects.requireNonNullElse(redis.call(command), "nil");
        }
    }

    private static List<String> strings(Object reply) {
        List<String> all = new ArrayList<>();
        for (Object value : (List<?>) reply) {
            all.add(new String((byte[]) value, StandardCharsets.UTF_8));
        }
        return all;
    }

    @Override
    List<String> queued(String queue) {
        return strings(call("LRANGE", "queue:" + queue, "0", "-1")).reversed();
    }

    @Override
    List<String> scheduled(Scheduling.From from) {
        return strings(
                call("ZRANGE", from == Scheduling.From.RETRY ? "retry" : "schedule", "0", "-1"));
    }

    @Override
    List<String> dead() {
        return strings(call("ZRANGE", "dead", "0", "-1"));
    }

    @Test
    void scriptsAreLoadedAgainAfterAScriptFlush() {
        open("a", "q");
        push("q", "1", "2");
        try (Claiming claiming = broker.claiming()) {
            assertThat(claiming.claim(List.of("q"), "a", 1, 100).leases()).hasSize(1);
            call("SCRIPT", "FLUSH");
            assertThat(claiming.claim(List.of("q"), "a", 1, 100).leases()).hasSize(1);
        }
    }

    @Test
    void aRefusedPushIsToldByItsPlace() {
        call("SET", "queue:b", "no list");
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
        call("CONFIG", "SET", "maxmemory", "1");

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
        call("SET", "queue:bad", "not a list");
        push("good", "1");

        try (Claiming claiming = broker.claiming()) {
            Claiming.Claimed claimed = claiming.claim(List.of("bad", "good"), "a", 5, 100);
            assertThat(texts(claimed.leases())).containsExactly("1");
            assertThat(claimed.unusable()).isEqualTo(1);
        }
    }

    @Test
    void aRefusedSettlementIsHandedBackAndTheOthersAreDone() {
        open("a", "q");
        push("q", "1", "2");
        List<Lease> leases = claim("a", 2, "q");
        call("SET", "retry", "not a set");

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
    void aPayloadOverTheLimitGoesToTheDeadSetUnread() {
        open("a", "q");
        push("q", "x".repeat(RedisBroker.PAYLOAD_BYTES_MAX + 1), "small");

        try (Claiming claiming = broker.claiming()) {
            Claiming.Claimed claimed = claiming.claim(List.of("q"), "a", 5, 64 << 20);
            assertThat(texts(claimed.leases())).containsExactly("small");
            assertThat(claimed.buried()).isEqualTo(1);
        }
        assertThat(call("ZCARD", "dead")).isEqualTo(1L);
    }

    @Test
    void anArrivalThatNobodyClaimedIsGivenBackByTheSweep() {
        open("a", "q");
        push("q", "1", "2");
        try (Parking parking = broker.parking();
                Leasing leasing = broker.leasing()) {
            assertThat(parking.awaitArrival("q", Duration.ofSeconds(1))).isTrue();
            assertThat(queued("q")).containsExactly("2");

            leasing.recover("q", "");

            assertThat(queued("q")).containsExactly("1", "2");
        }
    }

    @Test
    void thereIsNothingToRecoverWhileAllLeasesAreGood() {
        List<String> queues = IntStream.range(0, 250).mapToObj(i -> "q" + i).toList();
        try (Leasing leasing = broker.leasing()) {
            leasing.open("a", queues, Duration.ofMinutes(5));
            leasing.open("me", queues, Duration.ofSeconds(-1));
            assertThat(strings(call("SMEMBERS", "mw:queues"))).hasSize(250);

            assertThat(leasing.queuesToRecover("me")).isEmpty();
            assertThat(leasing.queuesToRecover("")).hasSize(250);
        }
    }

    @Test
    void whatMayBeToRecoverIsFound() {
        List<String> hints =
                List.of(
                        "LPUSH mw:{queue:q}:arrivals 1",
                        "LPUSH mw:{queue:q}:suspects 1",
                        "ZADD mw:{queue:q}:leases 5 dead",
                        "SET mw:{queue:q}:leases wrong");
        try (Leasing leasing = broker.leasing()) {
            for (String hint : hints) {
                call("FLUSHALL");
                leasing.open("a", List.of("q"), Duration.ofMinutes(5));
                assertThat(leasing.queuesToRecover("me")).isEmpty();

                call(hint.split(" ", -1));

                assertThat(leasing.queuesToRecover("me")).as(hint).containsExactly("q");
            }
        }
    }

    @Test
    void aLeaseThatIsGoneOnOneOfManyQueuesIsToldAndTheOthersAreRenewed() {
        List<String> queues = IntStream.range(0, 250).mapToObj(i -> "q" + i).toList();
        try (Leasing leasing = broker.leasing()) {
            leasing.open("a", queues, Duration.ofSeconds(-1));
            leasing.recover("q120", "");

            assertThat(leasing.renew("a", queues, Duration.ofMinutes(5)).isFenced()).isTrue();

            assertThat(leasing.queuesToRecover("")).isEmpty();
        }
    }

    @Test
    void aLeaseKeyOfAWrongTypeIsToldAndHoldsUpNoOther() {
        call("SET", "mw:{queue:bad}:leases", "wrong");
        List<String> queues = List.of("bad", "q");
        try (Leasing leasing = broker.leasing()) {
            Leasing.Kept opened = leasing.open("a", queues, Duration.ofMinutes(5));
            Leasing.Kept renewed = leasing.renew("a", queues, Duration.ofMinutes(5));

            assertThat(opened.refused()).containsOnlyKeys("bad");
            assertThat(renewed.refused().get("bad")).contains("WRONGTYPE");
        }
        assertThat(call("ZCARD", "mw:{queue:q}:leases")).isEqualTo(1L);
        push("bad", "1");
        push("q", "2");
        try (Claiming claiming = broker.claiming()) {
            Claiming.Claimed claimed = claiming.claim(queues, "a", 10, 1 << 20);
            assertThat(texts(claimed.leases())).containsExactly("2");
            assertThat(claimed.unusable()).isEqualTo(1);
        }
        assertThat(queued("bad")).containsExactly("1");
    }

    @Test
    void anInFlightKeyOfAWrongTypeKeepsItsQueueAndHoldsUpNoOther() {
        List<String> queues = List.of("q", "bad");
        open("a", "q", "bad");
        call("SET", "mw:{queue:bad}:inflight:a", "wrong");
        push("bad", "1");
        push("q", "2");
        try (Claiming claiming = broker.claiming()) {
            assertThat(texts(claiming.claim(queues, "a", 10, 1 << 20).leases()))
                    .containsExactly("2");
        }
        assertThat(queued("bad")).containsExactly("1");
    }

    @Test
    void theDeadSetIsTrimmedAndTheTrimmedAreCounted() {
        RedisBroker small =
                new RedisBroker(SERVER.address(), new DeadLimits(3, Duration.ofDays(1)));
        open("a", "q");
        push("q", "1", "2", "3", "4");
        List<Lease> leases = claim("a", 4, "q");
        int trimmed = 0;
        try (Settling settling = small.settling()) {
            for (Lease lease : leases) {
                trimmed +=
                        settling.settle(
                                        List.of(
                                                new Settled(
                                                        lease,
                                                        new Settlement.Bury(lease.payload()))))
                                .trimmed();
            }
        }

        // As in Sidekiq, a limit of 3 keeps 2.
        assertThat(dead()).containsExactly("3", "4");
        assertThat(trimmed).isEqualTo(2);
    }

    @Test
    void payloadsOverTheLimitWithEqualBytesBothStay() {
        open("a", "q");
        String large = "x".repeat(RedisBroker.PAYLOAD_BYTES_MAX + 1);
        push("q", large, large);

        // One at a time, since each is more than a claim takes.
        assertThat(claim("a", 5, "q")).isEmpty();
        assertThat(claim("a", 5, "q")).isEmpty();

        assertThat(call("ZCARD", "dead")).isEqualTo(2L);
    }

    @Test
    void aDeadSetOfAWrongTypeLosesNoPayloadOverTheLimit() {
        open("a", "q");
        call("SET", "dead", "not a set");
        push("q", "1", "x".repeat(RedisBroker.PAYLOAD_BYTES_MAX + 1), "2");

        try (Claiming claiming = broker.claiming()) {
            Claiming.Claimed claimed = claiming.claim(List.of("q"), "a", 5, 64 << 20);
            assertThat(texts(claimed.leases())).containsExactly("1");
            assertThat(claimed.unusable()).isEqualTo(1);
            assertThat(claimed.buried()).isZero();
        }
        assertThat(call("LLEN", "queue:q")).isEqualTo(2L);
        assertThat(call("LINDEX", "queue:q", "0")).isEqualTo(bytes("2"));
    }

    @Test
    void entriesWithEqualBytesThatAreNoJobsBothStay() {
        try (Enqueuing enqueuing = broker.enqueuing();
                Scheduling scheduling = broker.scheduling()) {
            enqueuing.schedule(Instant.EPOCH, bytes("no job"));
            enqueuing.flush();
            call("ZADD", "retry", "1", "no job");

            scheduling.due(10, 1 << 20).entries().forEach(scheduling::bury);
        }
        assertThat(dead())
                .allMatch(bytes -> bytes.strip().equals("no job"))
                .doesNotHaveDuplicates();
    }

    @Test
    void aClaimThatMayNotBeWrittenDownTakesNothing() {
        open("a", "q");
        push("q", "1", "2", "3");
        call("ACL", "SETUSER", "limited", "on", ">secret", "~*", "&*", "+@all", "-hset");
        RedisAddress limited =
                RedisAddress.parse(SERVER.url().replace("redis://", "redis://limited:secret@"));

        try (Claiming claiming = new RedisBroker(limited, DeadLimits.DEFAULT).claiming()) {
            Claiming.Claimed claimed = claiming.claim(List.of("q"), "a", 5, 1_000);

            assertThat(claimed.leases()).isEmpty();
            assertThat(claimed.unusable()).isEqualTo(1);
        }
        assertThat(queued("q")).containsExactly("1", "2", "3");
        assertThat(texts(claim("a", 5, "q"))).containsExactly("1", "2", "3");
    }
}
