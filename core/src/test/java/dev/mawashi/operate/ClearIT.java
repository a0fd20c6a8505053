package dev.mawashi.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.tables.AuditLog;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.tables.SetEditing;
import dev.mawashi.tables.UndoTable;
import dev.mawashi.wire.JobSet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clears of more jobs than are read at once: two of them at a time, and such as are cut off.
final class ClearIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final int MANY = Keeping.JOBS_MAX + 1;
    private static final String QUEUE = "queue:q";
    private static final String PLACE = "mw:cleared:";

    private final RedisConnection redis = SERVER.connect();
    private final FaultProxy proxy = new FaultProxy(SERVER.address());
    private final RedisConnection slow = proxyConnection();

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
        slow.close();
        proxy.close();
        redis.close();
    }

    private RedisConnection proxyConnection() {
        return new RedisConnection(proxy.address(), "slow", Duration.ofSeconds(30));
    }

    /// Jobs with locks, the first of them `<name>0`.
    private void fill(String key, String name, int count) {
        for (int i = 0; i < count; i++) {
            String jid = name + i;
            String digest = "abcdefghijklmn".substring(jid.length()) + jid;
            redis.queue(words("HSET", "mw:locks", digest, "9999999999999 " + jid + " A"));
            String job = "{\"jid\":\"%s\",\"mw_lock\":\"%s\"}".formatted(jid, digest);
            redis.queue(
                    key.endsWith(QUEUE)
                            ? words("RPUSH", key, job)
                            : words("ZADD", key, "" + i, job));
        }
        redis.flush();
    }

    private static byte[][] words(String... words) {
        byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = RedisConnection.utf8(words[i]);
        }
        return bytes;
    }

    private static long clear(RedisConnection by, String key, Keeping keeping) {
        return key.equals(QUEUE)
                ? new QueueEditing(by).clear("q", keeping).orElse(0)
                : new SetEditing(by).clear(JobSet.DEAD, keeping);
    }

    private static long clear(RedisConnection by, String key) {
        return clear(by, key, Keeping.nothing());
    }

    /// Clears in the name of somebody who may not free locks, so that the jobs wait at their place.
    private void clearAndDie(String key, Keeping keeping) {
        redis.call("ACL", "SETUSER", "nofree", "on", "nopass", "~*", "+@all", "-hdel");
        try (RedisConnection dying = SERVER.connect()) {
            dying.call("AUTH", "nofree", "");
            assertThatThrownBy(() -> clear(dying, key, keeping))
                    .hasMessageContaining(
                            " jobs are gone, but not all of their locks are free (clear it");
        }
    }

    /// The first one has read, and waits for the reply, while the second clears others.
    @ParameterizedTest
    @CsvSource({"queue:q, 0", "queue:q, 3", "dead, 0", "dead, 3"})
    void twoAtOnceFreeAllLocksOfBoth(String key, int left) {
        assertThat(clear(slow, key)).isZero();
        fill(PLACE + key, "left", left);
        proxy.holdReplies();
        redis.call("CONFIG", "RESETSTAT");
        CompletableFuture<Long> first = CompletableFuture.supplyAsync(() -> clear(slow, key));
        Eventually.until("it has read", () -> text("INFO", "commandstats").contains("evalsha"));
        assertThat(clear(redis, key)).isZero();
        fill(key, "a", MANY);
        clearAndDie(key, Keeping.nothing());
        fill(key, "b", MANY);
        proxy.releaseReplies();

        assertThat(first.join()).isEqualTo(MANY);

        assertThat(redis.call("EXISTS", "mw:locks", key, PLACE + key)).isEqualTo(0L);
    }

    @ParameterizedTest
    @CsvSource({"queue:q", "dead"})
    void theNextClearFreesWhatWasKeptToo(String key) {
        fill(key, "a", 3);
        clearAndDie(key, Keeping.of("act"));
        assertThat(redis.call("EXISTS", "mw:undo:act", PLACE + key)).isEqualTo(2L);

        assertThat(clear(redis, key, Keeping.of("other"))).isZero();

        assertThat(redis.call("EXISTS", "mw:locks", key, PLACE + key)).isEqualTo(0L);
        assertThat(size("mw:undo:act", key)).isEqualTo(3);
    }

    /// Each step has what is left wait for as long as the whole.
    @ParameterizedTest
    @CsvSource({"queue:q", "dead"})
    void whatIsLeftWaitsAnewAfterEachStep(String key) {
        fill(PLACE + key, "a", MANY);
        int all = size(PLACE + key);
        for (int next = 1; size(PLACE + key) == all; next++) {
            redis.call("EXPIRE", PLACE + key, "100");
            proxy.cutBeforeSend(proxy.bursts() + next);
            assertThatThrownBy(() -> clear(slow, key)).isInstanceOf(RedisFailure.class);
        }

        assertThat(size(PLACE + key)).isPositive();
        assertThat((Long) redis.call("TTL", PLACE + key)).isBetween(500L, 600L);
        assertThat(clear(redis, key)).isZero();
        assertThat(redis.call("DBSIZE")).isEqualTo(0L);
    }

    private String text(String... command) {
        return new String((byte[]) Objects.requireNonNull(redis.call(command)), UTF_8);
    }

    private int size(String key) {
        return size(key, key);
    }

    private int size(String key, String kind) {
        Object size = redis.call(kind.endsWith(QUEUE) ? "LLEN" : "ZCARD", key);
        return Math.toIntExact((Long) Objects.requireNonNull(size));
    }

    /// The record says what is known of it, and the jobs can be had back.
    @Test
    void oneWhoseReplyIsLostIsRecordedAsUncertainAndCanBeUndone() {
        Audit audit =
                new Audit(new AuditLog(redis), InstantSource.system(), new SplittableRandom(1));
        Audit.Intent intent = Change.of(Act.CLEAR).intent(Places.ofQueue("q"), "all");
        fill(QUEUE, "a", 3);
        for (int next = 1; size(QUEUE) > 0; next++) {
            proxy.cutAfterReplyBytes(proxy.bursts() + next, 0);
            assertThatThrownBy(() ->
                            audit.record(
                                    new Author("-", "admin", "-"),
                                    intent,
                                    (keeping, _) ->
                                            Audit.Came.to(
                                                    Report.touched(
                                                            new QueueEditing(slow)
                                                                    .clear("q", keeping)
                                                                    .orElse(0)))))
                    .isInstanceOf(RedisFailure.class);
        }

        AuditEntry entry = audit.newest(1).getFirst();
        assertThat(entry.state()).isEqualTo(AuditEntry.State.FAILED);
        assertThat(entry.detail()).startsWith("all; lost the connection to ");
        assertThat(new Undoer(new UndoTable(redis)).undo(entry).touched()).isEqualTo(3);
        assertThat(size(QUEUE)).isEqualTo(3);
    }
}
