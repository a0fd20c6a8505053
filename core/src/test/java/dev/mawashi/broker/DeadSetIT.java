package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.tables.SetEditing;
import dev.mawashi.wire.JobSet;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The dead set's limits hold whichever way jobs come into it, and what leaves it is counted.
class DeadSetIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final DeadLimits LIMITS = new DeadLimits(4, Duration.ofDays(1));
    private static final List<String> QUEUES = List.of("q");

    private final RedisBroker broker = new RedisBroker(SERVER.address(), LIMITS);
    private final RedisConnection redis = SERVER.connect();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    /// Three are as many as may be there.
    @BeforeEach
    void fill() {
        SERVER.flushAll();
        add(bytes("dead"), 3);
    }

    @AfterEach
    void close() {
        redis.close();
    }

    /// @param count entries that are not too old
    private void add(byte[] prefix, int count) {
        long now = now();
        for (int i = 0; i < count; i++) {
            redis.queue(
                    bytes("ZADD"),
                    bytes("dead"),
                    bytes("" + (now - 60)),
                    bytes(new String(prefix, StandardCharsets.UTF_8) + i));
        }
        redis.flush();
    }

    private long now() {
        List<?> time = (List<?>) Objects.requireNonNull(redis.call("TIME"));
        return Long.parseLong(new String((byte[]) time.getFirst(), StandardCharsets.US_ASCII));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private long dead() {
        return (Long) Objects.requireNonNull(redis.call("ZCARD", "dead"));
    }

    @Test
    void payloadsOverTheLimitTakeThePlaceOfOlderOnes() {
        byte[] large = new byte[RedisBroker.PAYLOAD_BYTES_MAX + 1];
        Arrays.fill(large, (byte) 'x');
        redis.call(bytes("LPUSH"), bytes("queue:q"), large);
        redis.call(bytes("LPUSH"), bytes("queue:q"), large);
        try (Leasing leasing = broker.leasing();
                Claiming claiming = broker.claiming()) {
            leasing.open("me", QUEUES, Duration.ofMinutes(5));
            Claiming.Claimed claimed = claiming.claim(QUEUES, "me", 5, 64 << 20);

            assertThat(claimed.buried()).isEqualTo(2);
            assertThat(claimed.trimmed()).isEqualTo(2);
        }
        assertThat(dead()).isEqualTo(3);
    }

    @Test
    void entriesThatAreNoJobsTakeThePlaceOfOlderOnes() {
        redis.call("ZADD", "retry", "1", "no job");
        try (Scheduling scheduling = broker.scheduling()) {
            assertThat(
                            scheduling.bury(
                                    new Scheduling.Entry(Scheduling.From.RETRY, bytes("no job"))))
                    .isEqualTo(1);
        }
        assertThat(dead()).isEqualTo(3);
    }

    @Test
    void oldOnesGo() {
        long limit = now() - LIMITS.maxAge().toSeconds();
        redis.call("ZREM", "dead", "dead0", "dead1", "dead2");
        redis.call("ZADD", "dead", "" + (limit - 1), "old", "" + (limit + 3_600), "younger");
        try (Settling settling = broker.settling()) {
            redis.call("HSET", "mw:{queue:q}:inflight:me", "1", "x");
            Settled buried =
                    new Settled(
                            new Lease("q", "me", 1, bytes("x")), new Settlement.Bury(bytes("x")));
            assertThat(settling.settle(List.of(buried)).trimmed()).isEqualTo(1);
        }
        assertThat(redis.call("ZSCORE", "dead", "old")).isNull();
        assertThat(redis.call("ZSCORE", "dead", "younger")).isNotNull();
        assertThat(dead()).isEqualTo(2);
    }

    /// Lowered limits must not hold Redis until thousands are gone.
    @Test
    void manyTooManyGoAFewAtATime() {
        add(bytes("more"), 1_000);
        List<byte[]> entries = IntStream.range(0, 100).mapToObj(i -> bytes("job" + i)).toList();
        entries.forEach(entry -> redis.call(bytes("ZADD"), bytes("retry"), bytes("1"), entry));
        try (SetEditing editing = new SetEditing(SERVER.connect())) {
            assertThat(editing.bury(JobSet.RETRY, entries, LIMITS).trimmed()).isEqualTo(120);
        }
        assertThat(dead()).isEqualTo(983);
    }
}
