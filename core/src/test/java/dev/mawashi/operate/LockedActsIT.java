package dev.mawashi.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.tables.AuditLog;
import dev.mawashi.tables.Erasing;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.LimitedReads;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.tables.SetEditing;
import dev.mawashi.tables.UndoTable;
import dev.mawashi.wire.JobSet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
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

    private static String digest(String jid) {
        return "abcdefghijklmn".substring(jid.length()) + jid;
    }

    private String locked(String jid) {
        redis.call("HSET", "mw:locks", digest(jid), "9999999999999 " + jid + " A");
        return "{\"class\":\"A\",\"jid\":\"%s\",\"queue\":\"q\",\"mw_lock\":\"%s\"}"
                .formatted(jid, digest(jid));
    }

    private void fillSet(String set) {
        redis.call("ZADD", set, "1", locked("a"), "2", locked("b"), "3", "{\"jid\":\"c\"}");
    }

    private void fillQueue() {
        redis.call("RPUSH", "queue:q", locked("a"), "{\"jid\":\"c\"}", locked("b"));
        redis.call("SADD", "queues", "q");
    }

    private boolean isLocked(String jid) {
        return Long.valueOf(1).equals(redis.call("HEXISTS", "mw:locks", digest(jid)));
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

    /// What leaves the full dead set has no lock any more.
    @Test
    void whatIsTrimmedLeavesNoLock() {
        fillSet("retry");

        var _ =
                operator(JobSet.RETRY)
                        .perform(
                                Change.bury(new DeadLimits(1, Duration.ofDays(1))),
                                JobQuery.ALL,
                                Keeping.nothing(),
                                Progress.UNHEARD);

        assertThat((Long) redis.call("ZCARD", "dead")).isLessThan(3);
        assertFree("a", "b");
    }

    @Test
    void whatMovesToAnotherQueueAndBackStaysLocked() {
        fillQueue();
        Audit audit =
                new Audit(new AuditLog(acting), InstantSource.system(), new SplittableRandom(1));
        AuditEntry moved =
                audit.record(
                        new Author("-", "admin", "-"),
                        new Audit.Intent(Act.MOVE, Places.ofQueue("q"), "other", "all"),
                        (keeping, progress) ->
                                Audit.Came.to(
                                        new QueueOperator("q", acting)
                                                .perform(
                                                        Change.to(Act.MOVE, "other"),
                                                        JobQuery.ALL,
                                                        keeping,
                                                        progress)));
        assertThat(redis.call("LLEN", "queue:other")).isEqualTo(3L);
        assertThat(isLocked("a") && isLocked("b")).isTrue();

        assertThat(new Undoer(new UndoTable(acting)).undo(moved).touched()).isEqualTo(3);

        assertThat(isLocked("a") && isLocked("b")).isTrue();
    }

    /// It had none when it came back, and another has it by now: that one's stays.
    @Test
    void whatIsHadBackAndDeletedAgainLeavesAnothersLock() {
        fillSet("retry");
        Keeping keeping = Keeping.of("act");
        SetEditing editing = new SetEditing(acting);
        JobReader reader = new JobReader(acting);
        List<byte[]> jobs =
                reader.first(JobSet.RETRY, 9).stream().map(entry -> entry.job().payload()).toList();
        assertThat(editing.delete(JobSet.RETRY, jobs, keeping)).isEqualTo(3);
        assertFree("a", "b");
        redis.call("HSET", "mw:locks", digest("a"), "9999999999999 other A");

        assertThat(new UndoTable(acting).putBack("act", JobSet.RETRY, null)).isEqualTo(3);
        assertThat(editing.delete(JobSet.RETRY, jobs, Keeping.nothing())).isEqualTo(3);

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

    /// More than can be kept for an undo, and more than are read at once.
    @Test
    void allThatIsClearedIsFreeHoweverMuchItIs() {
        int many = 2 * Keeping.JOBS_MAX + 1;
        redis.call("HSET", "mw:locks", "other", "9999999999999 other A");
        for (int i = 0; i < many; i++) {
            redis.call("LPUSH", "queue:q", locked("q" + i));
            redis.call("ZADD", "retry", "" + i, locked("r" + i));
        }
        redis.call("LPUSH", "mw:{queue:q}:suspects", locked("s"));

        assertThat(new QueueEditing(acting).clear("q", Keeping.of("one"))).hasValue(many + 1);
        assertThat(new SetEditing(acting).clear(JobSet.RETRY, Keeping.of("two"))).isEqualTo(many);

        assertThat(redis.call("HLEN", "mw:locks")).isEqualTo(1L);
        assertThat(redis.call("DBSIZE")).isEqualTo(1L);
    }

    /// The process that began it died in between.
    @Test
    void theNextClearFreesWhatOneLeftThatWasCutOff() {
        redis.call("RPUSH", "mw:cleared:queue:q", locked("a"));
        redis.call("ZADD", "mw:cleared:dead", "1", locked("b"));
        locked("c");

        assertThat(new QueueEditing(acting).clear("q", Keeping.of("one"))).isEmpty();
        assertThat(new SetEditing(acting).clear(JobSet.DEAD, Keeping.of("two"))).isZero();

        assertFree("a", "b");
        assertThat(isLocked("c")).isTrue();
        assertThat(redis.call("DBSIZE")).isEqualTo(1L);
    }

    @Test
    void whatIsClearedHasAnEnd() {
        redis.call("ACL", "SETUSER", "nofree", "on", "nopass", "~*", "+@all", "-hdel");
        for (int i = 0; i <= Keeping.JOBS_MAX; i++) {
            redis.call("LPUSH", "queue:q", locked("q" + i));
        }
        acting.call("AUTH", "nofree", "");

        assertThatThrownBy(() -> new QueueEditing(acting).clear("q", Keeping.of("one")))
                .hasMessageContaining("can't run this command");

        assertThat(redis.call("EXISTS", "queue:q")).isEqualTo(0L);
        assertThat((Long) redis.call("TTL", "mw:cleared:queue:q")).isBetween(500L, 600L);
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
