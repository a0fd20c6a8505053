package dev.mawashi.tables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.JobLock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Locks as they are taken with a push and freed.
final class LockTableIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final String DIGEST = "abcdefghijabcdefghij12";
    private static final String KEY = "mw:lock:" + DIGEST;

    private final RedisConnection redis = SERVER.connect();
    private final LockTable locks = new LockTable(redis);

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
        redis.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /// @param words owner, owner before, `1` if it must not be lost
    private String push(String queue, String... words) {
        List<byte[]> args = new ArrayList<>();
        String due = queue.isEmpty() ? "5" : "";
        for (String word : List.of(words[0], words[1], "60000", words[2], due, "job " + words[0])) {
            args.add(bytes(word));
        }
        return new String(
                locks.enqueue(bytes(queue), List.of(bytes(DIGEST)), args).getFirst(), UTF_8);
    }

    private String owner() {
        return new String((byte[]) Objects.requireNonNull(redis.call("GET", KEY)), UTF_8);
    }

    private long waiting() {
        return (Long) Objects.requireNonNull(redis.call("LLEN", "queue:q"));
    }

    @Test
    void theFirstComesInAndOthersDoNotUntilItsLockIsFreedOrOver() {
        assertThat(push("q", "a", "", "")).isEqualTo("1");
        assertThat(push("q", "b", "", "")).isEqualTo("a");
        assertThat(push("", "b", "", "")).isEqualTo("a");
        assertThat(waiting()).isOne();
        assertThat(redis.call("EXISTS", "schedule")).isEqualTo(0L);
        assertThat((Long) redis.call("PTTL", KEY)).isBetween(1L, 60_000L);

        assertThat(locks.free(List.of(Objects.requireNonNull(JobLock.of(DIGEST, "b"))))).isZero();
        assertThat(locks.free(List.of(Objects.requireNonNull(JobLock.of(DIGEST, "a"))))).isOne();

        assertThat(push("", "b", "", "")).isEqualTo("1");
        assertThat(redis.call("ZSCORE", "schedule", "job b")).isEqualTo(bytes("5"));
    }

    @Test
    void aRepeatedCallEnqueuesNothingTwice() {
        assertThat(push("q", "a", "", "")).isEqualTo("1");
        assertThat(push("q", "a", "", "")).isEqualTo("1");

        assertThat(waiting()).isOne();
    }

    /// As the poller of another Sidekiq enqueues a job that is due.
    @Test
    void aJobThatWasInRedisComesBackWhoeverHasItsLock() {
        push("q", "a", "", "");

        assertThat(push("q", "a~1", "a", "1")).isEqualTo("1");
        assertThat(owner()).isEqualTo("a~1");
        assertThat(push("q", "c~1", "c", "1")).isEqualTo("1");
        assertThat(owner()).isEqualTo("a~1");
        assertThat(push("q", "a~2", "a", "1")).isEqualTo("1");
        assertThat(owner()).isEqualTo("a~2");
        assertThat(waiting()).isEqualTo(4);
    }

    /// As ActiveJob's `retry_on`, which enqueues it while it runs.
    @Test
    void aJobTakesTheLockOverFromTheOneThatItGoesOnFrom() {
        push("q", "a", "", "");

        assertThat(push("", "b", "a", "")).isEqualTo("1");
        assertThat(owner()).isEqualTo("b");
        assertThat(push("", "c", "a", "")).isEqualTo("b");
    }

    @Test
    void aKeyOfAWrongTypeEndsItBeforeAnythingIsChanged() {
        redis.call("RPUSH", KEY, "no lock");

        assertThatThrownBy(() -> push("q", "a", "", ""))
                .isInstanceOf(RedisFailure.class)
                .hasMessageContaining("WRONGTYPE");

        assertThat(waiting()).isZero();
        assertThat(locks.free(List.of(Objects.requireNonNull(JobLock.of(DIGEST, "a"))))).isZero();
    }

    @Test
    void aFullRedisTakesNeitherJobNorLock() {
        redis.call("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThatThrownBy(() -> push("q", "a", "", "")).hasMessageContaining("OOM");
            assertThat(redis.call("EXISTS", KEY, "queue:q")).isEqualTo(0L);
        } finally {
            redis.call("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void aLockIsSmall() {
        push("q", "0123456789abcdef01234567", "", "");

        assertThat((Long) redis.call("MEMORY", "USAGE", KEY)).isLessThanOrEqualTo(150);
    }
}
