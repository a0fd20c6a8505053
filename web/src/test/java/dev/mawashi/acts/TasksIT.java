package dev.mawashi.acts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.AuditEntry;
import dev.mawashi.operate.Author;
import dev.mawashi.operate.Report;
import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Acts that go on beside requests, on a real Redis.
final class TasksIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Author ANN = new Author("ann", "admin", "127.0.0.1");

    private final RedisConnection redis = SERVER.connect();
    private final Tasks tasks =
            new Tasks(_ -> SERVER.connect(), InstantSource.system(), new Random(7));
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch atGate = new CountDownLatch(1);

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
        gate.countDown();
        redis.close();
    }

    private AuditEntry begin(String place) {
        return tasks.audit(redis).begin(ANN, new Audit.Intent(Act.DELETE, place, "", "all"));
    }

    /// Goes on until the gate is open.
    private RunningAct held(String place) {
        return tasks.start(
                place,
                () -> new RunningAct(begin(place), 10),
                (_, _, progress) -> {
                    progress.reached(Report.touched(3), 5);
                    atGate.countDown();
                    await(gate);
                    progress.reached(Report.touched(4), 6);
                    return Audit.Came.to(Report.touched(10));
                });
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String recorded() {
        return tasks.audit(redis).newest(10).stream()
                .map(entry -> entry.place() + " " + entry.state() + " " + entry.report().touched())
                .toList()
                .toString();
    }

    @Test
    void whoClosesWithPatienceFindsTheEndRecorded() {
        held("dead");
        await(atGate);
        tasks.close(Duration.ZERO);
        assertThat(recorded()).isEqualTo("[dead BEGUN 0]");
        gate.countDown();
        tasks.close(LONG);
        assertThat(recorded()).isEqualTo("[dead ENDED 4]");
    }

    @Test
    void oneGoesOnAtATimeInAPlaceAndFourInAll() {
        RunningAct first = held("dead");
        assertThat(first.await(Duration.ZERO)).isNull();
        assertThatThrownBy(() -> held("dead"))
                .isInstanceOf(ActRefusal.class)
                .hasMessageContaining("an act is under way there (delete)");
        assertThat(recorded()).isEqualTo("[dead BEGUN 0]");
        List<RunningAct> others = List.of(held("retry"), held("schedule"), held("queue:q"));
        assertThatThrownBy(() -> held("queue:p")).hasMessageContaining("4 acts are under way");

        gate.countDown();
        assertThat(Objects.requireNonNull(first.await(LONG)).report().touched()).isEqualTo(10);
        others.forEach(other -> assertThat(other.await(LONG)).isNotNull());
        assertThat(tasks.running(first.begun().id())).isEmpty();
        assertThat(held("dead").await(LONG)).isNotNull();
    }

    @Test
    void oneThatIsRefusedWhileAnotherIsRecordedLeavesNoRecord() {
        RunningAct first =
                tasks.start(
                        "dead",
                        () -> {
                            assertThatThrownBy(() -> held("dead"))
                                    .isInstanceOf(ActRefusal.class)
                                    .hasMessageContaining("about to begin");
                            return new RunningAct(begin("dead"), 1);
                        },
                        (_, _, _) -> Audit.Came.to(Report.NOTHING));
        assertThat(first.await(LONG)).isNotNull();
        assertThat(recorded()).isEqualTo("[dead DONE 0]");
    }

    @Test
    void oneThatIsEndedRecordsWhatItHadDone() {
        RunningAct running = held("dead");
        assertThat(tasks.running(running.begun().id())).contains(running);
        await(atGate);
        running.end();
        gate.countDown();

        AuditEntry ended = Objects.requireNonNull(running.await(LONG));
        assertThat(ended.state()).isEqualTo(AuditEntry.State.ENDED);
        assertThat(recorded()).isEqualTo("[dead ENDED 4]");
    }

    @Test
    void oneWhoseRedisFailsTellsSoAndFreesItsPlace() {
        RunningAct running =
                tasks.start(
                        "dead",
                        () -> new RunningAct(begin("dead"), 1),
                        (connection, _, progress) -> {
                            progress.reached(Report.touched(1), 1);
                            connection.call("NOSUCHCOMMAND");
                            return Audit.Came.to(Report.NOTHING);
                        });
        assertThatThrownBy(() -> running.await(LONG)).isInstanceOf(RedisFailure.class);
        assertThat(recorded()).isEqualTo("[dead FAILED 1]");
        tasks.requireFree("dead");
    }

    /// It strikes after a command was queued, and with replies still to come.
    @Test
    void oneThatADefectEndsIsRecordedAsFailed() {
        for (Throwable defect :
                List.of(
                        new StackOverflowError(),
                        new AssertionError("odd"),
                        new OutOfMemoryError("Java heap space"),
                        new IllegalStateException("odd"))) {
            SERVER.flushAll();
            RunningAct running =
                    tasks.start(
                            "dead",
                            () -> new RunningAct(begin("dead"), 1),
                            (connection, _, progress) -> {
                                progress.reached(Report.touched(2), 2);
                                RedisCalls.queue(connection, "SET", "odd", "1");
                                return fail(defect);
                            });
            assertThatThrownBy(() -> running.await(LONG)).hasRootCause(defect);
            assertThat(recorded()).isEqualTo("[dead FAILED 2]");
            assertThat(tasks.audit(redis).newest(1).getFirst().detail())
                    .isIn("all; a defect of Mawashi: " + defect, "all; " + defect.getMessage());
            assertThat(redis.call("EXISTS", "odd")).isEqualTo(0L);
            tasks.requireFree("dead");
        }
    }

    private static Audit.Came fail(Throwable defect) {
        if (defect instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) defect;
    }

    @Test
    void withTheProcessAllEndAfterTheirStep() {
        RunningAct running = held("dead");
        tasks.close();
        gate.countDown();
        assertThat(Objects.requireNonNull(running.await(LONG)).state())
                .isEqualTo(AuditEntry.State.ENDED);
    }
}
