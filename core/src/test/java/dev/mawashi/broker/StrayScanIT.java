package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What nobody knows of is found (B52, B53), and what nobody serves is forgotten.
class StrayScanIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration LONG = Duration.ofMinutes(5);

    private final RedisConnection redis = SERVER.connect();
    private final Leasing leasing = leasing(QueueLayout.SIDEKIQ);

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
        leasing.close();
        redis.close();
    }

    private static Leasing leasing(QueueLayout layout) {
        return new RedisBroker(SERVER.address(), DeadLimits.DEFAULT, layout).leasing();
    }

    private void sweep(Leasing leasing) {
        leasing.queuesToRecover("me#0").forEach(queue -> leasing.recover(queue, "me#0"));
    }

    private long length(String list) {
        return redis.call("LLEN", list) instanceof Long length ? length : -1;
    }

    private Set<String> served() {
        Set<String> names = new HashSet<>();
        for (Object name : (List<?>) Objects.requireNonNull(redis.call("SMEMBERS", "mw:queues"))) {
            names.add(new String((byte[]) name, StandardCharsets.UTF_8));
        }
        return names;
    }

    @Test
    void jobsInFlightWhoseLeaseIsGoneAreFoundAndPutBack() {
        redis.call("HSET", "mw:{queue:a}:inflight:b}:inflight:gone:1#0", "1", "one", "2", "two");

        sweep(leasing);
        sweep(leasing);

        assertThat(length("queue:a}:inflight:b")).isEqualTo(2);
        assertThat((List<?>) redis.call("KEYS", "mw:{*}:inflight:gone*")).isEmpty();
        assertThat((List<?>) redis.call("KEYS", "mw:{*}:leases")).isEmpty();
    }

    @Test
    void whatAQueueOfAnOddNameHasBesideItIsNoJobsOfAnother() {
        redis.call("HSET", "mw:{queue:a}:inflight:b}:crashes", "0123", "1");

        sweep(leasing);

        assertThat(redis.call("EXISTS", "mw:{queue:a}:inflight:b}:crashes")).isEqualTo(1L);
        assertThat(length("queue:a")).isZero();
    }

    @Test
    void jobsInFlightAreFoundAmongManyKeys() {
        for (int i = 0; i < 20_000; i++) {
            redis.queue(RedisConnection.ascii("SET"), RedisConnection.ascii("k" + i), new byte[1]);
        }
        redis.flush();
        redis.call("HSET", "mw:{queue:q}:inflight:gone#0", "1", "one");
        redis.call("CONFIG", "RESETSTAT");

        sweep(leasing);
        assertThat(scans()).isEqualTo(5);
        for (int sweeps = 0; sweeps < 10 && length("queue:q") == 0; sweeps++) {
            sweep(leasing);
        }

        assertThat(length("queue:q")).isEqualTo(1);
    }

    @Test
    void whoHasGoneThroughAllKeysDoesNotBeginAgainAtOnce() {
        redis.call("CONFIG", "RESETSTAT");

        sweep(leasing);
        sweep(leasing);

        assertThat(scans()).isEqualTo(1);
    }

    private long scans() {
        String stats =
                new String((byte[]) redis.call("INFO", "commandstats"), StandardCharsets.UTF_8);
        return stats.lines()
                .filter(line -> line.startsWith("cmdstat_scan:"))
                .mapToLong(line -> Long.parseLong(line.split("[=,]", -1)[1]))
                .sum();
    }

    @Test
    void aUserWhoMayNotGoThroughKeysRecoversWhatIsKnown() {
        redis.call("ACL", "SETUSER", "bob", "on", ">right", "~*", "&*", "+@all", "-scan");
        leasing.open("gone#0", List.of("q"), Duration.ofSeconds(-1));
        redis.call("HSET", "mw:{queue:q}:inflight:gone#0", "1", "one");
        RedisAddress address =
                RedisAddress.parse(SERVER.url().replace("redis://", "redis://bob:right@"));
        try (Leasing bob = new RedisBroker(address, DeadLimits.DEFAULT).leasing()) {
            sweep(bob);
        }

        assertThat(length("queue:q")).isEqualTo(1);
    }

    @Test
    void whatALiveOwnerHoldsStaysItsOwn() {
        leasing.open("other#0", List.of("q"), LONG);
        redis.call("HSET", "mw:{queue:q}:inflight:other#0", "1", "one");

        sweep(leasing);

        assertThat(redis.call("HLEN", "mw:{queue:q}:inflight:other#0")).isEqualTo(1L);
        assertThat(length("queue:q")).isZero();
    }

    @Test
    void leasesArrivalsAndSuspectsOfAQueueWithoutANameAreFound() {
        redis.call("ZADD", "mw:{queue:lapsed}:leases", "1", "gone#0");
        redis.call("HSET", "mw:{queue:lapsed}:inflight:gone#0", "1", "one");
        redis.call("ZADD", "mw:{queue:bare}:leases", "1", "gone#0");
        redis.call("RPUSH", "mw:{queue:arrived}:arrivals", "two");
        redis.call("RPUSH", "mw:{queue:suspected}:suspects", "three");

        sweep(leasing);

        assertThat(length("queue:lapsed")).isEqualTo(1);
        assertThat(length("queue:arrived")).isEqualTo(1);
        assertThat(served()).contains("suspected");
        assertThat(redis.call("EXISTS", "mw:{queue:bare}:leases")).isEqualTo(0L);
    }

    @Test
    void aResqueQueuesAreFoundByTheirOwnAndNoOthers() {
        redis.call("HSET", "mw:{app[1]:queue:q}:inflight:gone#0", "1", "one");
        redis.call("HSET", "mw:{queue:q}:inflight:gone#0", "1", "sidekiq's");
        try (Leasing resque = leasing(new ResqueKeys("app[1]").layout())) {
            sweep(resque);
        }

        assertThat(length("app[1]:queue:q")).isEqualTo(1);
        assertThat(length("queue:q")).isZero();
    }

    @Test
    void aQueueWhereNothingLiesIsForgottenAndAnyOtherIsNot() {
        redis.call("SADD", "mw:queues", "void", "arrived", "suspected");
        redis.call("RPUSH", "mw:{queue:arrived}:arrivals", "two");
        redis.call("RPUSH", "mw:{queue:suspected}:suspects", "three");
        leasing.open("me#0", List.of("mine"), LONG);

        leasing.queuesToRecover("me#0");

        assertThat(served()).containsExactlyInAnyOrder("arrived", "suspected", "mine");
    }

    @Test
    void whatWasForgottenIsServedAgainWithItsNextLease() {
        leasing.open("me#0", List.of("q"), LONG);
        leasing.release("me#0", List.of("q"));
        assertThat(served()).isEmpty();

        leasing.open("me#1", List.of("q"), LONG);

        assertThat(served()).containsExactly("q");
    }
}
