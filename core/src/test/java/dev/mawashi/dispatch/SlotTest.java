package dev.mawashi.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.MemoryBroker;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.settle.RetryPolicy;
import dev.mawashi.settle.RetryRules;
import dev.mawashi.settle.Settler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlotTest {
    private static final long LONG = Duration.ofMinutes(5).toNanos();

    private final MemoryBroker broker = new MemoryBroker();
    private final RecordedEvents events = new RecordedEvents();
    private final GatedRunner runner = new GatedRunner();
    private final Epoch epoch = new Epoch("me");
    private final LeaseBuffer buffer = new LeaseBuffer(PayloadBudget.ofHeap().ofChildren());
    private final Demand demand = new Demand(buffer);
    private final Counters counters = new Counters();
    private final Slot slot = slot();

    private Slot slot() {
        Outage outage = new Outage(events, System::nanoTime);
        Settler settler = new Settler(broker.settling(), events, outage);
        RetryPolicy policy =
                new RetryPolicy(RetryRules.DEFAULT, InstantSource.system(), new Random(1), events);
        runner.open();
        return new Slot(
                runner,
                new RunParts(
                        policy, settler, epoch, events, new RunTallies(false), Cancelled.byJid()),
                buffer,
                counters,
                new Nap());
    }

    private static Lease lease(String owner, String job) {
        return new Lease("q", owner, 1, job.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aJobOfAnEarlierEpochIsNotStarted() throws InterruptedException {
        epoch.leasedUntil(System.nanoTime() + LONG);
        buffer.add(List.of(lease("me#0", "old"), lease("me#1", "new")));
        epoch.advance();

        Thread thread = Thread.ofVirtual().name("mawashi-slot-1").start(slot);
        Eventually.until("the new one ends", () -> counters.ended() == 1);
        buffer.close();
        thread.join();

        assertThat(runner.started()).containsExactly("new");
        assertThat(events.of(Event.ClaimsDropped.class))
                .containsExactly(new Event.ClaimsDropped(1));
    }

    @Test
    void aJobWhoseTimeIsOverIsNotStarted() throws InterruptedException {
        epoch.leasedUntil(System.nanoTime() + LONG);
        buffer.add(List.of(lease("me#0", "{\"expiry\":1}"), lease("me#0", "{\"expiry\":9e9}")));

        Thread thread = Thread.ofVirtual().name("mawashi-slot-1").start(slot);
        Eventually.until("the other ends", () -> counters.ended() == 1);
        buffer.close();
        thread.join();

        assertThat(runner.started()).containsExactly("{\"expiry\":9e9}");
        assertThat(events.of(Event.JobExpired.class)).hasSize(1);
    }

    @Test
    void aJobIsNotStartedWithoutALease() throws InterruptedException {
        buffer.add(List.of(lease("me#0", "1"), lease("me#0", "2")));
        Thread thread = Thread.ofVirtual().name("mawashi-slot-1").start(slot);
        Eventually.until("the first is taken", () -> demand.awaitNeed(0).stale().size() == 1);
        assertThat(runner.started()).isEmpty();

        epoch.leasedUntil(System.nanoTime() + LONG);

        Eventually.until("it ends", () -> counters.ended() == 1);
        buffer.close();
        thread.join();
        assertThat(runner.started()).containsExactly("1");
    }

    @Test
    void whatWasTakenAwayIsNotSettledByTheSlot() throws InterruptedException {
        GatedRunner gated = new GatedRunner();
        Outage outage = new Outage(events, System::nanoTime);
        Settler settler = new Settler(broker.settling(), events, outage);
        RetryPolicy policy =
                new RetryPolicy(RetryRules.DEFAULT, InstantSource.system(), new Random(1), events);
        Slot one =
                new Slot(
                        gated,
                        new RunParts(
                                policy,
                                settler,
                                epoch,
                                events,
                                new RunTallies(false),
                                Cancelled.byJid()),
                        buffer,
                        counters,
                        new Nap());
        epoch.leasedUntil(System.nanoTime() + LONG);
        Lease lease = lease("me#0", "1");
        buffer.add(List.of(lease));
        Thread thread = Thread.ofVirtual().name("mawashi-slot-1").start(one);
        gated.awaitRunning(1);

        assertThat(one.takeAway()).isSameAs(lease);
        assertThat(one.takeAway()).isNull();
        gated.open();
        buffer.close();
        thread.join();

        // Its settler never started: whatever it was given would still gather there.
        assertThat(settler.flush(Duration.ZERO)).isTrue();
    }
}
