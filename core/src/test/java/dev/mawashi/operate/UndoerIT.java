package dev.mawashi.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.tables.AuditLog;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.tables.UndoTable;
import dev.mawashi.wire.JobSet;
import dev.mawashi.wire.Keys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What can be taken back of acts that died half-way, and what others did meanwhile.
final class UndoerIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Author ANN = new Author("ann", "admin", "-");

    private final RedisConnection redis = SERVER.connect();
    private final JobReader reader = new JobReader(redis);
    private final UndoTable table = new UndoTable(redis);
    private final SetOperator sets = new SetOperator(JobSet.RETRY, redis, InstantSource.system());
    private final Undoer undoer = new Undoer(table);
    private final Audit audit =
            new Audit(new AuditLog(redis), InstantSource.system(), new Random(3));

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void fill() {
        SERVER.flushAll();
        for (int i = 0; i < 5; i++) {
            redis.call("ZADD", "retry", "" + (10 + i), job(i));
        }
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private static String job(int i) {
        return "{\"jid\":\"%s\",\"queue\":\"q\",\"class\":\"A\"}".formatted(i);
    }

    private AuditEntry begin(Act act) {
        return audit.begin(ANN, new Audit.Intent(act, "retry"));
    }

    private List<JobEntry> entries() {
        return reader.first(JobSet.RETRY, 5);
    }

    private long count(String... command) {
        return redis.call(command) instanceof Long count ? count : -1;
    }

    @Test
    void whatADeadProcessHadDeletedCanBeHadBack() {
        AuditEntry begun = begin(Act.DELETE);
        sets.perform(Change.of(Act.DELETE), entries().subList(0, 3), Keeping.of(begun.id()));

        // It records no end. Another process finds the change.
        AuditEntry found = audit.find(begun.id()).orElseThrow();
        assertThat(found.state()).isEqualTo(AuditEntry.State.BEGUN);
        assertThat(undoer.canUndo(found)).isTrue();
        assertThat(undoer.undo(found).touched()).isEqualTo(3);
        assertThat(count("ZCARD", "retry")).isEqualTo(5);
        assertThat(undoer.canUndo(found)).isFalse();
    }

    @Test
    void whatWasNotedAndNeverMovedStaysWhereItIs() {
        for (Act act : List.of(Act.BURY, Act.RESCHEDULE, Act.RETRY)) {
            AuditEntry begun = begin(act);
            Keeping keeping = Keeping.of(begun.id());
            if (act == Act.RETRY) {
                table.noteEnqueued(
                        List.of(
                                new UndoTable.Enqueued(
                                        "q", Keys.bytes(job(9)), Keys.bytes(job(0)), "10")),
                        keeping);
            } else {
                table.note(List.of(new UndoTable.Scored(Keys.bytes(job(0)), "10")), keeping);
            }
            AuditEntry ended = begun.with(AuditEntry.State.FAILED, Report.NOTHING, keeping.kept());
            assertThat(undoer.undo(ended).touched()).as(act.word()).isZero();
            assertThat(count("ZCARD", "retry")).as(act.word()).isEqualTo(5);
            assertThat(count("ZCARD", "dead")).as(act.word()).isZero();
            assertThat(undoer.canUndo(ended)).as(act.word()).isFalse();
        }
    }

    @Test
    void anEntryThatCameBackByItselfIsNotThereTwice() {
        AuditEntry begun = begin(Act.DELETE);
        sets.perform(Change.of(Act.DELETE), entries(), Keeping.of(begun.id()));
        redis.call("ZADD", "retry", "99", job(0));

        assertThat(undoer.undo(begun).touched()).isEqualTo(5);
        // Two jobs of the same bytes: none of them is lost.
        assertThat(count("ZCARD", "retry")).isEqualTo(6);
    }

    @Test
    void onlyTheBeginningOfALargeActIsKept() {
        for (int i = 5; i < 1_500; i++) {
            redis.call("ZADD", "retry", "" + (10 + i), job(i));
        }
        AuditEntry deleted =
                audit.record(
                        ANN,
                        new Audit.Intent(Act.DELETE, "retry"),
                        (keeping, progress) ->
                                Audit.Came.to(
                                        sets.perform(
                                                Change.of(Act.DELETE),
                                                JobQuery.ALL,
                                                keeping,
                                                progress)));
        assertThat(deleted.kept()).isEqualTo(1_000);
        assertThat(undoer.undo(deleted)).isEqualTo(new Report(1_000, 0, 0, 0));
        assertThat(count("ZCARD", "retry")).isEqualTo(1_000);

        AuditEntry retried = begin(Act.RETRY).with(AuditEntry.State.DONE, Report.touched(5), 4);
        redis.call("RPUSH", Keys.undo(retried.id()), "q", "a", "b", "1");
        assertThat(undoer.canUndo(retried)).isFalse();
    }

    @Test
    void namesTooLongToBeWrittenDownCannotBeUndone() {
        String queue = "q".repeat(500);
        redis.call("LPUSH", "queue:" + queue, job(1));
        AuditEntry cleared =
                audit.record(
                        ANN,
                        new Audit.Intent(Act.CLEAR, Places.ofQueue(queue)),
                        (keeping, _) ->
                                Audit.Came.to(
                                        Report.touched(
                                                new QueueEditing(redis)
                                                        .clear(queue, keeping)
                                                        .orElse(0))));
        assertThat(cleared.kept()).isZero();
        assertThat(cleared.json()).hasSizeLessThan(2_000);
        assertThat(count("EXISTS", Keys.undo(cleared.id()))).isZero();
    }

    /// As by a double click.
    @Test
    void twoWhoUndoAMoveAtOnceLeaveNothingBehind() throws Exception {
        for (int round = 0; round < 4; round++) {
            SERVER.flushAll();
            for (int i = 0; i < 1_000; i++) {
                redis.call("LPUSH", "queue:q", job(i));
            }
            QueueOperator queues = new QueueOperator("q", redis);
            AuditEntry moved =
                    audit.record(
                            ANN,
                            new Audit.Intent(Act.MOVE, Places.ofQueue("q"), "other", "all"),
                            (keeping, progress) ->
                                    Audit.Came.to(
                                            queues.perform(
                                                    Change.to(Act.MOVE, "other"),
                                                    JobQuery.ALL,
                                                    keeping,
                                                    progress)));
            assertThat(undoTwice(moved)).isEqualTo(1_000);
            assertThat(count("LLEN", "queue:other")).isZero();
            assertThat(jids(reader.first("q", 1_000)))
                    .hasSize(1_000)
                    .startsWith("0", "1")
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void twoWhoUndoARetryAtOnceLeaveNothingBehind() throws Exception {
        for (int round = 0; round < 4; round++) {
            SERVER.flushAll();
            for (int i = 0; i < 500; i++) {
                redis.call("ZADD", "retry", "" + (10 + i), job(i));
            }
            AuditEntry retried =
                    audit.record(
                            ANN,
                            new Audit.Intent(Act.RETRY, "retry", "", "all"),
                            (keeping, progress) ->
                                    Audit.Came.to(
                                            sets.perform(
                                                    Change.of(Act.RETRY),
                                                    JobQuery.ALL,
                                                    keeping,
                                                    progress)));
            assertThat(undoTwice(retried)).isEqualTo(500);
            assertThat(count("LLEN", "queue:q")).isZero();
            assertThat(count("ZCARD", "retry")).isEqualTo(500);
        }
    }

    private static List<String> jids(List<JobEntry> entries) {
        return entries.stream().map(entry -> entry.job().jid()).toList();
    }

    /// @return how many jobs both together say that they put back
    private static long undoTwice(AuditEntry entry) throws Exception {
        Callable<Long> undo =
                () -> {
                    try (RedisConnection own = SERVER.connect()) {
                        return new Undoer(new UndoTable(own)).undo(entry).touched();
                    }
                };
        try (ExecutorService two = Executors.newFixedThreadPool(2)) {
            long sum = 0;
            for (Future<Long> one : two.invokeAll(List.of(undo, undo))) {
                sum += one.get();
            }
            return sum;
        }
    }

    /// Each call is refused, and repeated.
    @Test
    void aRefusedUndoLeavesEachJobInOnePlace() {
        redis.call("LPUSH", "queue:q", job(1), job(2));
        AuditEntry cleared = audit.begin(ANN, new Audit.Intent(Act.CLEAR, Places.ofQueue("q")));
        new QueueEditing(redis).clear("q", Keeping.of(cleared.id()));
        redis.call("SET", "queues", "no set");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> undoer.undo(cleared)).isInstanceOf(RedisFailure.class);
        }
        assertThat(count("LLEN", "queue:q")).isZero();
        redis.call("DEL", "queues");
        assertThat(undoer.undo(cleared).touched()).isEqualTo(2);
        assertThat(count("LLEN", "queue:q")).isEqualTo(2);
    }

    @Test
    void theRecordTellsWhatEachChangeCameTo() {
        AuditEntry begun = begin(Act.DELETE);
        AuditEntry ended = audit.perform(begun, (_, _) -> Audit.Came.to(Report.touched(2)));
        assertThat(audit.newest(10)).containsExactly(ended);
        redis.call("LPUSH", "mw:audit", "no line of ours", "{}", "{\"id\":\"x\",\"at\":\"y\"}");
        assertThat(audit.newest(10)).containsExactly(ended);
        assertThat(ended.at()).isBeforeOrEqualTo(Instant.now());
    }
}
