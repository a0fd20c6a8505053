package dev.mawashi.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Enqueuing;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.dispatch.CancelWatch;
import dev.mawashi.dispatch.CapsuleRig;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.dispatch.GatedRunner;
import dev.mawashi.event.Event;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.inspect.InFlightReader;
import dev.mawashi.operate.Cancellation.State;
import dev.mawashi.redis.KeyReports;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.tables.CancelMarks;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Cancelling, with the processes that take part in it.
class CancellerIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration LONG = Duration.ofSeconds(60);

    private final RedisConnection redis = SERVER.connect();
    private final RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
    private final CancelMarks marks = new CancelMarks(SERVER.connect(), QueueLayout.SIDEKIQ);
    private final InFlightReader inFlight =
            new InFlightReader(SERVER.connect(), QueueLayout.SIDEKIQ);

    /// Other threads cancel while a test looks.
    private final RedisConnection cancellers = SERVER.connect();

    private final Canceller canceller =
            new Canceller(marks, inFlight, cancellers, InstantSource.system());
    private final GatedRunner runner = new GatedRunner();
    private final CapsuleRig rig =
            new CapsuleRig(
                    broker,
                    runner,
                    new CapsuleSettings("test", 1, QueueOrder.strict(List.of("q"))));
    private final CancelWatch watch =
            rig.cancelWatch(new KeyReports(SERVER.connect(), SERVER::connect));

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
        runner.open();
        watch.stop(LONG);
        rig.close();
        marks.close();
        inFlight.close();
        cancellers.close();
        redis.close();
    }

    private Cancellation cancel(String jid) {
        return canceller.cancel(jid, LONG, Progress.UNHEARD);
    }

    private static String job(String jid) {
        return "{\"class\":\"A\",\"args\":[],\"jid\":\"%s\",\"queue\":\"q\",\"mw_lock\":\"%s\"}"
                .formatted(jid, digest(jid));
    }

    private static String digest(String jid) {
        return "abcdefghijklmn".substring(jid.length()) + jid;
    }

    private void lock(String... jids) {
        for (String jid : jids) {
            redis.call("HSET", "mw:locks", digest(jid), "9999999999999 " + jid + " A");
        }
    }

    private boolean isLocked(String jid) {
        return count("HEXISTS", "mw:locks", digest(jid)) == 1;
    }

    private void push(String... jids) {
        try (Enqueuing enqueuing = broker.enqueuing()) {
            for (String jid : jids) {
                enqueuing.push("q", List.of(job(jid).getBytes(UTF_8)));
            }
            enqueuing.flush();
        }
    }

    /// The clients that have asked last whether a job is still held; an earlier test's may be among
    /// them until Redis has noticed that it is gone.
    private Set<String> awaitingAnEnd() {
        String list =
                redis.call("CLIENT", "LIST") instanceof byte[] all ? new String(all, UTF_8) : "";
        return list.lines()
                .filter(line -> line.contains("cmd=hexists"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .collect(Collectors.toSet());
    }

    private long count(String... command) {
        return redis.call(command) instanceof Long count ? count : -1;
    }

    @Test
    void aJobThatWaitsIsDeletedFromWhereverItIs() {
        lock("later", "failed", "queued", "arrived", "suspect", "other");
        redis.call("ZADD", "schedule", "1", job("later"), "1", job("other"));
        redis.call("ZADD", "retry", "1", job("failed"), "1", job("other"));
        redis.call("ZADD", "dead", "1", job("dead"));
        push("other", "queued");
        redis.call("SADD", "mw:queues", "q");
        redis.call("RPUSH", "mw:{queue:q}:arrivals", job("arrived"));
        redis.call("RPUSH", "mw:{queue:q}:suspects", job("suspect"), job("other"));

        assertThat(cancel("later")).isEqualTo(new Cancellation(State.DELETED, List.of("schedule")));
        assertThat(cancel("failed")).isEqualTo(new Cancellation(State.DELETED, List.of("retry")));
        for (String jid : List.of("queued", "arrived", "suspect")) {
            assertThat(cancel(jid)).isEqualTo(new Cancellation(State.DELETED, List.of("queue q")));
        }

        assertThat(count("ZCARD", "schedule")).isOne();
        assertThat(count("ZCARD", "retry")).isOne();
        assertThat(count("LLEN", "queue:q")).isOne();
        assertThat(count("EXISTS", "mw:{queue:q}:arrivals")).isZero();
        assertThat(count("LLEN", "mw:{queue:q}:suspects")).isOne();
        assertThat(count("EXISTS", "mw:cancelled")).isZero();
        assertThat(isLocked("other")).isTrue();
        assertThat(count("HLEN", "mw:locks")).isOne();
    }

    @Test
    void aJobThatIsNowhereOrDeadIsNotCancelledAndLeavesNoMark() {
        redis.call("ZADD", "dead", "1", job("dead"));

        assertThat(cancel("dead").state()).isEqualTo(State.NOWHERE);
        assertThat(cancel("no").state()).isEqualTo(State.NOWHERE);
        assertThat(count("ZCARD", "dead")).isOne();
        assertThat(count("EXISTS", "mw:cancelled")).isZero();
    }

    @Test
    void aJobThatRunsIsEndedAndOneClaimedAheadNeverBegins() {
        rig.start();
        watch.start();
        lock("runs", "ahead");
        push("runs");
        runner.awaitRunning(1);

        assertThat(cancel("runs").state()).isEqualTo(State.ENDED);
        assertThat(isLocked("runs")).isFalse();

        push("next", "ahead");
        runner.awaitRunning(1);
        assertThat(cancel("ahead").state()).isIn(State.ENDED, State.DELETED);
        runner.open();
        rig.awaitEnded(2);
        rig.flush();
        assertThat(runner.started()).containsExactly(job("runs"), job("next"));
        assertThat(count("ZCARD", "retry")).isZero();
        assertThat(isLocked("ahead")).isFalse();
        Eventually.until("no mark is left", () -> count("EXISTS", "mw:cancelled") == 0);
    }

    @Test
    void aJobThatHasJustBegunIsEndedAndNotSaidToBeNowhere() {
        rig.start();
        watch.start();
        for (int i = 1; i <= 20; i++) {
            push("begun" + i);
            runner.awaitRunning(1);

            assertThat(cancel("begun" + i).state()).isEqualTo(State.ENDED);
            rig.awaitEnded(i);
        }
        assertThat(rig.events().of(Event.JobCancelled.class)).hasSize(20);
    }

    @Test
    void aJobThatBeganAndIsNotInFlightYetIsInItsProcesssHands() {
        String arrivals = "mw:{queue:q}:arrivals:busy#0";
        try (Leasing leasing = broker.leasing()) {
            leasing.open("busy#0", List.of("q"), LONG);
        }
        redis.call("LPUSH", arrivals, job("begun"));

        Cancellation told = canceller.cancel("begun", Duration.ZERO, Progress.UNHEARD);
        assertThat(told).isEqualTo(new Cancellation(State.TOLD, List.of("busy")));
        assertThat(count("ZCARD", "mw:cancelled")).isOne();
        assertThat(count("LLEN", arrivals)).isOne();

        redis.call("DEL", "mw:cancelled");
        CompletableFuture<Cancellation> cancelled =
                CompletableFuture.supplyAsync(() -> cancel("begun"));
        Eventually.until("it is marked", () -> count("ZCARD", "mw:cancelled") == 1);
        redis.call("HSET", "mw:{queue:q}:inflight:busy#0", "7", job("begun"));
        redis.call("DEL", arrivals);
        assertThat(cancelled).isNotDone();
        redis.call("DEL", "mw:{queue:q}:inflight:busy#0");
        redis.call("DEL", "mw:cancelled");
        assertThat(cancelled.join()).isEqualTo(new Cancellation(State.ENDED, List.of("busy")));
    }

    @Test
    void aJobThatEndsByItselfFirstIsToldAsSuch() {
        rig.start();
        watch.start();
        push("deaf");
        Eventually.until(
                "it is in flight",
                () ->
                        redis.call("KEYS", "mw:{queue:q}:inflight:*") instanceof List<?> keys
                                && !keys.isEmpty());
        Set<String> before = awaitingAnEnd();
        CompletableFuture<Cancellation> cancelled =
                CompletableFuture.supplyAsync(() -> cancel("deaf"));
        Eventually.until("its end is awaited", () -> !before.containsAll(awaitingAnEnd()));
        runner.open();

        assertThat(cancelled.join().state()).isEqualTo(State.TOO_LATE);
        assertThat(count("EXISTS", "mw:cancelled")).isZero();
        assertThat(rig.events().of(Event.JobCancelled.class)).isEmpty();
    }

    @Test
    void aJobOfADeadProcessIsCaughtByTheMarkWhenAnotherHasRecoveredIt() {
        try (Leasing leasing = broker.leasing();
                Claiming claiming = broker.claiming()) {
            leasing.open("dead#0", List.of("q"), LONG);
            push("held");
            assertThat(claiming.claim(List.of("q"), "dead#0", 5, 1_000).leases()).hasSize(1);

            assertThat(canceller.cancel("held", Duration.ZERO, Progress.UNHEARD))
                    .isEqualTo(new Cancellation(State.TOLD, List.of("dead")));
            assertThat(count("TTL", "mw:cancelled")).isPositive();

            leasing.release("dead#0", List.of("q"));
        }
        assertThat(count("LLEN", "queue:q")).isOne();
        watch.start();
        rig.start();
        push("next");
        runner.open();
        rig.awaitEnded(1);
        rig.flush();

        assertThat(runner.started()).containsExactly(job("next"));
        assertThat(rig.events().of(Event.JobCancelled.class)).hasSize(1);
        Eventually.until("no mark is left", () -> count("EXISTS", "mw:cancelled") == 0);
    }

    @Test
    void marksAreBoundedAndForgottenInTheEnd() {
        redis.call("ZADD", "mw:cancelled", "1", "from long ago");
        for (int i = 0; i <= CancelMarks.MARKS_MAX; i++) {
            marks.mark("j" + i);
        }

        Set<String> names = marks.names();
        assertThat(names).hasSize(CancelMarks.MARKS_MAX).doesNotContain("from long ago");
        assertThat(count("TTL", "mw:cancelled")).isBetween(80_000L, 86_400L);
    }

    @Test
    void aKeyOfAWrongTypeCancelsNothingAndIsSaidOnce() {
        redis.call("SET", "mw:cancelled", "x");
        rig.start();
        watch.start();
        push("a");
        runner.pass(1);
        rig.awaitEnded(1);
        redis.call("DEL", "mw:cancelled");
        push("runs");
        runner.awaitRunning(1);

        assertThat(cancel("runs").state()).isEqualTo(State.ENDED);
        assertThat(rig.events().of(Event.CancelsUnreadable.class)).hasSize(1);
    }
}
