package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The contract on a real Redis, and what only a real one has: scripts, arrivals, hints of what is
/// to recover, and limits of bytes and numbers.
@Tag("stack")
class RedisBrokerIT extends RedisBrokerContract {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final RedisConnection REDIS = SERVER.connect();

    RedisBrokerIT() {
        super(REDIS, SERVER.address(), QueueLayout.SIDEKIQ, "");
    }

    @AfterAll
    static void stopServer() {
        REDIS.close();
        SERVER.close();
    }

    @Test
    void scriptsAreLoadedAgainAfterAScriptFlush() {
        open("a", "q");
        push("q", "1", "2");
        try (Claiming claiming = broker.claiming()) {
            assertThat(claiming.claim(List.of("q"), "a", 1, 100).leases()).hasSize(1);
            REDIS.call("SCRIPT", "FLUSH");
            assertThat(claiming.claim(List.of("q"), "a", 1, 100).leases()).hasSize(1);
        }
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
        assertThat(REDIS.call("ZCARD", "dead")).isEqualTo(1L);
    }

    @Test
    void whatAnOlderBuildLeftAmongTheArrivalsIsGivenBackByTheSweep() {
        open("a", "q");
        push("q", "1", "2");
        try (Leasing leasing = broker.leasing()) {
            REDIS.call("LMOVE", "queue:q", "mw:{queue:q}:arrivals", "RIGHT", "LEFT");
            assertThat(queued("q")).containsExactly("2");

            leasing.recover("q", "");

            assertThat(queued("q")).containsExactly("1", "2");
        }
    }

    @Test
    void anEndThatRedisHasLostFreesTheLockOnceItIsSettledAgain() {
        String digest = "d".repeat(14);
        push("q", "{\"jid\":\"7a\",\"mw_lock\":\"" + digest + "\"}");
        REDIS.call("HSET", "mw:locks", digest, "9999999999999 7a A");
        try (Leasing leasing = broker.leasing();
                Settling settling = broker.settling()) {
            leasing.open("a", List.of("q"), LONG);
            List<Lease> jobs = claim("a", 1, "q");
            save();
            settle(jobs, Settlement.ACK);
            goBack();
            assertThat(REDIS.call("HEXISTS", "mw:locks", digest)).isEqualTo(1L);

            List<Settled> again = leasing.compare("a", List.of("q"), true).again();

            assertThat(settling.settle(again).late()).isZero();
            assertThat(REDIS.call("HEXISTS", "mw:locks", digest)).isEqualTo(0L);
        }
    }

    @Test
    void thereIsNothingToRecoverWhileAllLeasesAreGood() {
        List<String> queues = IntStream.range(0, 250).mapToObj(i -> "q" + i).toList();
        try (Leasing leasing = broker.leasing()) {
            leasing.open("a", queues, Duration.ofMinutes(5));
            leasing.open("me", queues, Duration.ofSeconds(-1));
            assertThat(Replies.texts(REDIS.call("SMEMBERS", "mw:queues"))).hasSize(250);

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
                REDIS.call("FLUSHALL");
                leasing.open("a", List.of("q"), Duration.ofMinutes(5));
                assertThat(leasing.queuesToRecover("me")).isEmpty();

                REDIS.call(hint.split(" ", -1));

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

        assertThat(REDIS.call("ZCARD", "dead")).isEqualTo(2L);
    }

    @Test
    void entriesWithEqualBytesThatAreNoJobsBothStay() {
        try (Enqueuing enqueuing = broker.enqueuing();
                Scheduling scheduling = broker.scheduling()) {
            enqueuing.schedule(Instant.EPOCH, bytes("no job"));
            enqueuing.flush();
            REDIS.call("ZADD", "retry", "1", "no job");

            scheduling.due(10, 1 << 20).entries().forEach(scheduling::bury);
        }
        assertThat(dead())
                .allMatch(bytes -> bytes.strip().equals("no job"))
                .doesNotHaveDuplicates();
    }
}
