package dev.mawashi.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Enqueuing;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.inspect.InFlightReader;
import dev.mawashi.operate.Cancellation.State;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.tables.CancelMarks;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import dev.mawashi.wire.RunId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Cancelling a run of a Resque job, with a process that is played by hand.
class RunCancellerIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String OWNER = "vm:7:0f3a1c2b9d8e#0";
    private static final String MARKS = "mw:{resque}:cancelled";
    private static final byte[] JOB = "{\"class\":\"A\",\"args\":[]}".getBytes(UTF_8);

    private final QueueLayout layout = ResqueKeys.DEFAULT.layout();
    private final RedisConnection redis = SERVER.connect();
    private final RedisBroker broker =
            new RedisBroker(SERVER.address(), DeadLimits.DEFAULT, layout);
    private final CancelMarks marks = new CancelMarks(SERVER.connect(), layout);
    private final InFlightReader inFlight = new InFlightReader(SERVER.connect(), layout);
    private final RunCanceller canceller = new RunCanceller(marks, inFlight);

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
        marks.close();
        inFlight.close();
        redis.close();
    }

    /// Two jobs that are alike, in the process's hands.
    private List<Lease> claimTwo() {
        try (Leasing leasing = broker.leasing();
                Claiming claiming = broker.claiming();
                Enqueuing enqueuing = broker.enqueuing()) {
            leasing.open(OWNER, List.of("q"), LONG);
            enqueuing.push("q", List.of(JOB, JOB));
            enqueuing.flush();
            return claiming.claim(List.of("q"), OWNER, 2, 1_000).leases();
        }
    }

    private boolean isMarked(Lease lease) {
        return redis.call("ZSCORE", MARKS, lease.runId()) != null;
    }

    private void settle(Lease lease) {
        redis.call("HDEL", layout.inflight("q", OWNER), Long.toString(lease.token()));
    }

    private CompletableFuture<Cancellation> cancel(Lease lease) {
        RunId run = RunId.parse(lease.runId()).orElseThrow();
        return CompletableFuture.supplyAsync(() -> canceller.cancel(run, LONG));
    }

    @Test
    void onlyTheRunThatIsMeantIsMarkedUntilItsProcessHasEndedIt() {
        List<Lease> two = claimTwo();

        CompletableFuture<Cancellation> cancelled = cancel(two.getLast());
        Eventually.until("it is marked", () -> isMarked(two.getLast()));
        assertThat(isMarked(two.getFirst())).isFalse();
        settle(two.getLast());
        redis.call("ZREM", MARKS, two.getLast().runId());

        assertThat(cancelled.join())
                .isEqualTo(new Cancellation(State.ENDED, List.of("vm:7:0f3a1c2b9d8e")));
    }

    @Test
    void oneThatBeganAndIsNotInFlightYetIsMarkedAndAwaited() {
        Lease begun = claimTwo().getFirst();
        String arrivals = layout.arrivals("q", OWNER);
        redis.call("LPUSH", arrivals, new String(JOB, UTF_8));
        settle(begun);

        CompletableFuture<Cancellation> cancelled = cancel(begun);
        Eventually.until("it is marked", () -> isMarked(begun));
        redis.call(
                "HSET",
                layout.inflight("q", OWNER),
                Long.toString(begun.token()),
                new String(JOB, UTF_8));
        redis.call("DEL", arrivals);
        assertThat(cancelled).isNotDone();
        settle(begun);
        redis.call("ZREM", MARKS, begun.runId());

        assertThat(cancelled.join())
                .isEqualTo(new Cancellation(State.ENDED, List.of("vm:7:0f3a1c2b9d8e")));
    }

    @Test
    void oneThatIsGoneWithItsMarkLeftHadEndedByItselfOrWasRecovered() {
        List<Lease> two = claimTwo();

        CompletableFuture<Cancellation> cancelled = cancel(two.getFirst());
        Eventually.until("it is marked", () -> isMarked(two.getFirst()));
        settle(two.getFirst());

        assertThat(cancelled.join().state()).isEqualTo(State.TOO_LATE);
        assertThat(redis.call("EXISTS", MARKS)).isEqualTo(0L);
    }

    @Test
    void oneThatItsProcessHasNotEndedStaysMarkedAndOneThatIsNowhereGetsNoMark() {
        List<Lease> two = claimTwo();
        RunId run = RunId.parse(two.getFirst().runId()).orElseThrow();
        RunId other = new RunId("0f3a1c2b9d8f", run.token());

        assertThat(canceller.cancel(other, LONG).state()).isEqualTo(State.NOWHERE);
        assertThat(redis.call("EXISTS", MARKS)).isEqualTo(0L);
        assertThat(canceller.cancel(run, Duration.ZERO).state()).isEqualTo(State.TOLD);
        assertThat(isMarked(two.getFirst())).isTrue();
    }
}
