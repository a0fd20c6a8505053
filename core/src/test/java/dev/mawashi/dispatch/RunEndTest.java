package dev.mawashi.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.MemoryBroker;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.job.Outcome;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.settle.RetryPolicy;
import dev.mawashi.settle.RetryRules;
import dev.mawashi.settle.Settler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A run that has ended is judged, settled and counted alike, whatever ran it.
class RunEndTest {
    private static final Lease JOB = new Lease("q", "me#0", 7, "{\"class\":\"A\"}".getBytes(UTF_8));
    private static final Outcome MALFORMED = new Outcome.Malformed("no JSON object");

    private final MemoryBroker broker = new MemoryBroker();
    private final RecordedEvents events = new RecordedEvents();
    private final Settler settler =
            new Settler(broker.settling(), events, new Outage(events, System::nanoTime));
    private final Cancelled cancelled = Cancelled.byRun();
    private final Counters counters = new Counters();
    private final RunParts parts =
            new RunParts(
                    new RetryPolicy(
                            RetryRules.DEFAULT, InstantSource.system(), new Random(1), events),
                    settler,
                    new Epoch("me"),
                    events,
                    new RunTallies(false),
                    cancelled);

    @AfterEach
    void stop() {
        settler.stop(Duration.ZERO);
    }

    @Test
    void aCancelledRunThatWasNoJobCountsNeitherAsProcessedNorAsFailed() throws Exception {
        cancelled.set(Set.of(JOB.runId()));
        CountDownLatch settled = new CountDownLatch(1);
        ChildSettling child =
                new ChildSettling(
                        parts,
                        new LeaseBuffer(PayloadBudget.ofHeap().ofChildren()),
                        counters,
                        0,
                        new AloneChildren(_ -> {}),
                        () -> null);

        child.decide(
                new ChildSettling.Ended(1, 5, JOB, MALFORMED, true),
                () -> null,
                settled::countDown);

        assertThat(settled.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(counters.ended()).isZero();
        assertThat(cancelled.takeEnded()).containsExactly(JOB.runId());
    }
}
