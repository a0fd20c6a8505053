package dev.mawashi.tables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.JobLock;
import dev.mawashi.wire.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Locks as they are taken with a push and freed.
final class LockTableIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final String DIGEST = "abcdefghijab12";

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
    /// @return `1`, or the owner of the lock
    private String push(String queue, String... words) {
        List<byte[]> args = new ArrayList<>();
        String due = queue.isEmpty() ? "5" : "";
        for (String word :
                List.of(
                        DIGEST,
                        words[0],
                        "SyncJob",
                        words[1],
                        "60000",
                        words[2],
                        due,
                        "job " + words[0])) {
            args.add(bytes(word));
        }
        String reply = new String(locks.enqueue(bytes(queue), args).getFirst(), UTF_8);
        return reply.startsWith(" ") ? reply.substring(1) : reply;
    }

    private long free(String jid) {
        return locks.free(List.of(Objects.requireNonNull(JobLock.of(DIGEST, jid))));
    }

    private String owner() {
        return field().split(" ", -1)[1];
    }

    private String field() {
        Object field = redis.call("HGET", Keys.LOCKS, DIGEST);
        return new String((byte[]) Objects.requireNonNull(field), UTF_8);
    }

    private long now() {
        List<?> time = (List<?>) Objects.requireNonNull(redis.call("TIME"));
        return Long.parseLong(new String((byte[]) time.getFirst(), UTF_8)) * 1_000;
    }

    private void setLock(String digest, String lock) {
        redis.call("HSET", Keys.LOCKS, digest, lock);
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
        assertThat(field()).matches("\\d{13} a SyncJob");
        assertThat(Long.parseLong(field().substring(0, 13)) - now()).isBetween(30_000L, 61_000L);

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

    /// A client gives the jid, which may be any text.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b",
                " a",
                "a ",
                "a  b",
                " ",
                "",
                ":",
                "a:b",
                "a\nb",
                "\n",
                "\t",
                "a\0b",
                "日本",
                "a\u00a0b",
                "~",
                "a~",
                "a~b",
                "a~1",
                "1",
                "0",
                "5 a",
                "%d",
                "a SyncJob"
            })
    void anyJidHoldsItsLockAndFreesIt(String jid) {
        assertThat(push("q", jid, "", "")).isEqualTo("1");
        assertThat(push("q", jid, "", "")).isEqualTo("1");
        assertThat(push("q", "other", "", "")).isEqualTo(jid);
        assertThat(push("q", "other", jid + "x", "")).isEqualTo(jid);
        assertThat(waiting()).isOne();
        assertThat(free("a")).isZero();
        assertThat(free(jid + " SyncJob")).isZero();

        assertThat(free(jid)).isOne();
        assertThat(push("q", "other", "", "")).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a\nb", "日本", "a~", "a~1", "1", "a.*"})
    void aJobOfAnyJidPassesItsLockOn(String jid) {
        push("q", jid, "", "");

        assertThat(push("q", jid + "~1", jid, "1")).isEqualTo("1");
        assertThat(push("q", jid + "~2", jid, "1")).isEqualTo("1");
        assertThat(field()).contains(" " + jid + "~2 ");
        assertThat(push("", "next", jid, "")).isEqualTo("1");
        assertThat(push("", "b", jid, "")).isEqualTo("next");
        assertThat(waiting()).isEqualTo(3);
    }

    /// A reply with the owner is told from one that the job came in, as shipped Ruby reads it.
    @Test
    void anOwnerIsToldFromSuccess() {
        push("q", "1", "", "");

        assertThat(push("q", "1", "", "")).isEqualTo("1");
        List<byte[]> args = new ArrayList<>();
        List.of(DIGEST, "b", "SyncJob", "", "60000", "", "", "job b")
                .forEach(word -> args.add(bytes(word)));
        assertThat(locks.enqueue(bytes("q"), args)).containsExactly(bytes(" 1"));
    }

    /// So that the last space of a lock is the one before the class.
    @Test
    void aClassIsStoredWithoutSpaces() {
        List<byte[]> args = new ArrayList<>();
        List.of(DIGEST, "a", "My Sync Job", "", "60000", "", "", "job a")
                .forEach(word -> args.add(bytes(word)));
        locks.enqueue(bytes("q"), args);

        assertThat(field()).endsWith(" a My_Sync_Job");
        assertThat(push("q", "b", "", "")).isEqualTo("a");
        assertThat(free("a")).isOne();
    }

    @Test
    void aKeyOfAWrongTypeEndsItBeforeAnythingIsChanged() {
        redis.call("RPUSH", Keys.LOCKS, "no lock");

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
            assertThat(redis.call("EXISTS", Keys.LOCKS, "queue:q")).isEqualTo(0L);
        } finally {
            redis.call("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void aLockWhoseTimeIsOverKeepsNobodyOut() {
        setLock(DIGEST, now() - 5_000 + " a SyncJob");

        assertThat(push("q", "b", "", "")).isEqualTo("1");

        assertThat(owner()).isEqualTo("b");
        assertThat(locks.free(List.of(Objects.requireNonNull(JobLock.of(DIGEST, "a"))))).isZero();
    }

    @Test
    void locksWhoseTimeIsOverLeaveAtPushes() {
        for (int i = 0; i < 2_000; i++) {
            setLock("old" + i, "5 a" + i + " SyncJob");
        }
        setLock("new", now() + 60_000 + " n SyncJob");

        // Whether a push comes in or not, it takes some of them out: those that it looks at.
        for (int i = 0; i < 4_000; i++) {
            assertThat(push("q", "a", "", "")).isEqualTo("1");
        }

        assertThat((Long) redis.call("HLEN", Keys.LOCKS)).isBetween(2L, 100L);
        assertThat(redis.call("HEXISTS", Keys.LOCKS, "new")).isEqualTo(1L);
    }

    @Test
    void theKeyOfLocksOutlastsEachAndEndsByItself() {
        assertThat(push("q", "a", "", "")).isEqualTo("1");
        assertThat((Long) redis.call("PTTL", Keys.LOCKS)).isBetween(60_000L, 62_000L);

        redis.call("PEXPIRE", Keys.LOCKS, "1000000");
        locks.free(List.of(Objects.requireNonNull(JobLock.of(DIGEST, "a"))));
        setLock("other", now() + 900_000 + " n SyncJob");
        redis.call("PEXPIRE", Keys.LOCKS, "1000000");
        assertThat(push("q", "b", "", "")).isEqualTo("1");
        assertThat((Long) redis.call("PTTL", Keys.LOCKS)).isGreaterThan(900_000);

        // The lock that is over is all that it holds.
        redis.call("DEL", Keys.LOCKS);
        setLock(DIGEST, "5 a SyncJob");
        assertThat(push("q", "c", "", "")).isEqualTo("1");
        assertThat((Long) redis.call("PTTL", Keys.LOCKS)).isBetween(60_000L, 62_000L);
    }

    @Test
    void whatIsNoLockKeepsNobodyOutAndIsNotFreed() {
        setLock(DIGEST, "odd");

        assertThat(locks.free(List.of(Objects.requireNonNull(JobLock.of(DIGEST, "a"))))).isZero();
        assertThat(push("q", "a", "", "")).isEqualTo("1");
        assertThat(owner()).isEqualTo("a");
    }

    /// Measured over many, with all that Redis's tables take for them.
    @Test
    void aLockIsSmall() {
        for (int i = 0; i < 50_000; i++) {
            setLock(
                    "abcdefghi" + (10_000 + i),
                    "1764200000000 0123456789abcdef0123%04x Billing::InvoiceSyncJob".formatted(i));
        }

        long bytes = (Long) Objects.requireNonNull(redis.call("MEMORY", "USAGE", Keys.LOCKS));
        assertThat(bytes / 50_000).isLessThanOrEqualTo(150);
    }
}
