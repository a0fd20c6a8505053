package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.tables.SetEditing;
import dev.mawashi.wire.JobSet;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Many jobs with the same bytes go to a set, which holds equal bytes once.
class TwinsIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final int TWINS = 2_000;
    private static final DeadLimits LIMITS = new DeadLimits(2 * TWINS, Duration.ofDays(1));

    private final RedisBroker broker = new RedisBroker(SERVER.address(), LIMITS);
    private final RedisConnection redis = SERVER.connect();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void empty() {
        SERVER.flushAll();
        redis.call("CONFIG", "RESETSTAT");
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void settleTwins(Settlement settlement) {
        List<Settled> all = new ArrayList<>();
        for (int token = 1; token <= TWINS; token++) {
            Lease lease = new Lease("q", "me#0", token, bytes("oops"));
            redis.queue(
                    bytes("HSET"),
                    bytes("mw:{queue:q}:inflight:me#0"),
                    bytes("" + token),
                    lease.payload());
            all.add(new Settled(lease, settlement));
        }
        redis.flush();
        try (Settling settling = broker.settling()) {
            assertThat(settling.settle(all).late()).isZero();
        }
    }

    private void assertTwinsIn(String set) {
        List<String> members =
                ((List<?>) Objects.requireNonNull(redis.call("ZRANGE", set, "0", "-1")))
                        .stream()
                                .map(one -> new String((byte[]) one, StandardCharsets.UTF_8))
                                .toList();
        assertThat(members).hasSize(TWINS);
        assertThat(members).allMatch(one -> one.strip().equals("oops"));
        assertThat(members).allMatch(one -> one.length() <= 30);
    }

    /// A twin costs the same however many there are: two attempts, and rarely one more.
    private void assertFewAttempts() {
        String stats =
                new String(
                        (byte[])
                                Objects.requireNonNull(
                                        redis.call(
                                                "EVAL",
                                                "return redis.call('INFO', 'commandstats')",
                                                "0")),
                        StandardCharsets.UTF_8);
        String line =
                stats.lines()
                        .filter(one -> one.startsWith("cmdstat_zadd:"))
                        .findFirst()
                        .orElseThrow();
        int calls = Integer.parseInt(line.replaceAll(".*:calls=(\\d+),.*", "$1"));
        assertThat(calls).isLessThan(4 * TWINS);
    }

    @Test
    void equalPayloadsAreBuriedAtTheSameCostEach() {
        settleTwins(new Settlement.Bury(bytes("oops")));

        assertTwinsIn("dead");
        assertFewAttempts();
    }

    @Test
    void equalPayloadsAreRetriedAtTheSameCostEach() {
        settleTwins(new Settlement.Retry(bytes("oops"), Duration.ofHours(1)));

        assertTwinsIn("retry");
        assertFewAttempts();
    }

    @Test
    void equalEntriesThatAreNoJobsGoToTheDeadSetAtTheSameCostEach() {
        try (Scheduling scheduling = broker.scheduling()) {
            for (int i = 0; i < TWINS; i++) {
                redis.call("ZADD", "retry", "1", "oops");
                scheduling.bury(new Scheduling.Entry(Scheduling.From.RETRY, bytes("oops")));
            }
        }

        assertTwinsIn("dead");
    }

    @Test
    void entriesThatAnOperatorBuriesStayBesideTheirTwins() {
        List<byte[]> entries = IntStream.range(0, 50).mapToObj(i -> bytes("job" + i)).toList();
        try (SetEditing editing = new SetEditing(SERVER.connect())) {
            for (int round = 0; round < 3; round++) {
                entries.forEach(
                        entry -> redis.call(bytes("ZADD"), bytes("retry"), bytes("1"), entry));
                editing.bury(JobSet.RETRY, entries, LIMITS);
            }
        }
        assertThat(redis.call("ZCARD", "dead")).isEqualTo(150L);
    }
}
