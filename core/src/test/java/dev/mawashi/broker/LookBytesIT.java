package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A look at what is due keeps to its bytes.
class LookBytesIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final int BYTES_MAX = 100_000;

    private final RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
    private final RedisConnection redis = SERVER.connect();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void empty() {
        SERVER.flushAll();
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private void schedule(int count, int bytes, int from) {
        for (int i = from; i < from + count; i++) {
            redis.call("ZADD", "schedule", "" + i, i + "x".repeat(bytes));
        }
    }

    private List<Integer> seen() {
        try (Scheduling scheduling = broker.scheduling()) {
            return scheduling.due(100, BYTES_MAX).entries().stream()
                    .map(entry ->
                            Integer.parseInt(
                                    new String(entry.payload(), StandardCharsets.UTF_8)
                                            .replace("x", "")))
                    .toList();
        }
    }

    @Test
    void oneIsSeenWhateverItsSize() {
        schedule(3, 1_000_000, 1);

        assertThat(seen()).containsExactly(1);
    }

    @Test
    void manySmallOnesAreSeenInTheirOrder() {
        schedule(150, 10, 1);

        assertThat(seen()).hasSize(100).isSorted().startsWith(1).endsWith(100);
    }

    @Test
    void largeOnesAfterSmallOnesAreLeftForLater() {
        schedule(20, 10, 1);
        schedule(80, 60_000, 21);

        assertThat(seen()).hasSizeBetween(20, 21).startsWith(1, 2, 3);
    }

    @Test
    void ofLargeOnesAsManyAreSeenAsFit() {
        schedule(30, 30_000, 1);

        assertThat(seen()).containsExactly(1, 2, 3);
    }

    @Test
    void delayedJobsAreReadSoToo() {
        ResqueKeys keys = ResqueKeys.DEFAULT;
        for (int i = 0; i < 30; i++) {
            redis.call("RPUSH", keys.delayed("7"), i + "x".repeat(30_000));
        }
        try (DelayedJobs delayed = broker.delayedJobs(keys, "lock")) {
            assertThat(delayed.first("7", 100, BYTES_MAX)).hasSize(3);
        }
    }
}
