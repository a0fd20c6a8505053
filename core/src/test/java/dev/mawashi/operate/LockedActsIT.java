package dev.mawashi.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.tables.Erasing;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.LimitedReads;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.tables.SetEditing;
import dev.mawashi.wire.JobSet;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Acts on jobs with locks: a lock is free once its job is gone or dead, and not before.
final class LockedActsIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private final RedisConnection redis = SERVER.connect();
    private final RedisConnection acting = SERVER.connect();

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
        acting.close();
    }

    private static String key(String jid) {
        return "mw:lock:abcdefghijabcdefghijk" + jid;
    }

    private String locked(String jid) {
        redis.call("SET", key(jid), jid, "EX", "600");
        return "{\"class\":\"A\",\"jid\":\"%s\",\"queue\":\"q\",\"mw_lock\":\"%s\"}"
                .formatted(jid, key(jid).substring(8));
    }

    private void fillSet(String set) {
        redis.call("ZADD", set, "1", locked("a"), "2", locked("b"), "3", "{\"jid\":\"c\"}");
    }

    private void fillQueue() {
        redis.call("RPUSH", "queue:q", locked("a"), "{\"jid\":\"c\"}", locked("b"));
        redis.call("SADD", "queues", "q");
    }

    private boolean isLocked(String jid) {
        return Long.valueOf(1).equals(redis.call("EXISTS", key(jid)));
    }

    private SetOperator operator(JobSet set) {
        return new SetOperator(set, acting, InstantSource.system());
    }

    private void assertFree(String... jids) {
        assertThat(List.of(jids)).noneMatch(this::isLocked);
    }

    @Test
    void whatIsDeletedFromASetIsFree() {
        for (Keeping keeping : List.of(Keeping.of("act"), Keeping.nothing())) {
            fillSet("retry");

            Report report =
                    operator(JobSet.RETRY)
                            .perform(
                                    Change.of(Act.DELETE), JobQuery.ALL, keeping, Progress.UNHEARD);

            assertThat(report).isEqualTo(new Report(3, 0, 0, 0));
            assertFree("a", "b");
        }
    }

    /// It runs, or waits in its queue.
    @Test
    void whatOthersHaveTakenMeanwhileStaysLocked() {
        fillSet("retry");
        JobReader reader = new JobReader(acting);
        List<JobEntry> entries = reader.find(JobSet.RETRY, JobQuery.ALL, 10, (_, _) -> 0).first();
        redis.call("ZREMRANGEBYRANK", "retry", "0", "0");

        Report report =
                operator(JobSet.RETRY).perform(Change.of(Act.DELETE), entries, Keeping.of("act"));

        assertThat(report).isEqualTo(new Report(2, 1, 0, 0));
        assertThat(isLocked("a")).isTrue();
        assertFree("b");
    }

    @Test
    void whatIsBuriedIsFreeAndWhatRunsOrMovesIsNot() {
        fillSet("schedule");

        var _ =
                operator(JobSet.SCHEDULE)
                        .perform(
                                Change.bury(DeadLimits.DEFAULT),
                                JobQuery.ALL,
                                Keeping.nothing(),
                                Progress.UNHEARD);

        assertFree("a", "b");
        assertThat(redis.call("ZCARD", "dead")).isEqualTo(3L);
        fillSet("retry");
        var _ =
                operator(JobSet.RETRY)
                        .perform(
                                Change.of(Act.RETRY),
                                JobQuery.ALL,
                                Keeping.nothing(),
                                Progress.UNHEARD);
        assertThat(isLocked("a")).isTrue();
    }

    @Test
    void whatIsDeletedFromAQueueIsFree() {
        fillQueue();

        Report report =
                new QueueOperator("q", acting)
                        .perform(
                                Change.of(Act.DELETE),
                                JobQuery.ALL,
                                Keeping.of("act"),
                                Progress.UNHEARD);

        assertThat(report.touched()).isEqualTo(3);
        assertFree("a", "b");
    }

    @Test
    void whatIsClearedAndKeptForAnUndoIsFree() {
        fillQueue();
        var _ = new QueueEditing(acting).clear("q", Keeping.of("one"));
        assertFree("a", "b");

        fillSet("dead");
        assertThat(new SetEditing(acting).clear(JobSet.DEAD, Keeping.of("two"))).isEqualTo(3);
        assertFree("a", "b");
    }

    @Test
    void whatIsErasedIsFree() {
        Erasing erasing = new Erasing(acting, _ -> true, false);
        fillQueue();
        assertThat(erasing.list("queue:q", LimitedReads.Side.LEFT, _ -> {})).isEqualTo(3);
        assertFree("a", "b");

        fillSet("schedule");
        assertThat(erasing.set("schedule")).isEqualTo(3);
        assertFree("a", "b");
    }

    @Test
    void whatLiesBesideItsQueueIsFreeOnceItIsDeleted() {
        byte[] job = locked("a").getBytes(UTF_8);
        QueueEditing editing = new QueueEditing(acting);

        assertThat(editing.deleteAside("q", job)).isZero();
        assertThat(isLocked("a")).isTrue();
        redis.call(
                RedisConnection.ascii("RPUSH"),
                RedisConnection.ascii("mw:{queue:q}:suspects"),
                job);
        assertThat(editing.deleteAside("q", job)).isOne();
        assertFree("a");
    }
}
