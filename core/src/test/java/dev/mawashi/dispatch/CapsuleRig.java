package dev.mawashi.dispatch;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Broker;
import dev.mawashi.broker.Enqueuing;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.Settled;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.execute.Runner;
import dev.mawashi.fetch.Pauses;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.redis.KeyReports;
import dev.mawashi.settle.RetryPolicy;
import dev.mawashi.settle.RetryRules;
import dev.mawashi.settle.Settler;
import dev.mawashi.wire.QueueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// A capsule with all that it needs, as a process of its own.
public final class CapsuleRig implements AutoCloseable {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final AtomicInteger PROCESSES = new AtomicInteger();

    private final Broker broker;
    private final CapsuleSettings settings;
    private final RecordedEvents events = new RecordedEvents();
    private final Epoch epoch = new Epoch("process-" + PROCESSES.incrementAndGet());
    private final Pauses pauses = new Pauses();
    private final Cancelled cancelled = Cancelled.byJid();
    private final Settler settler;
    private final Capsule capsule;

    public CapsuleRig(Broker broker, Runner runner, CapsuleSettings settings) {
        this(broker, new Execution.Threads(runner, false), settings);
    }

    public CapsuleRig(Broker broker, Execution execution, CapsuleSettings settings) {
        this.broker = broker;
        this.settings = settings;
        Outage outage = new Outage(events, System::nanoTime);
        settler = new Settler(broker.settling(), events, outage);
        RetryPolicy policy =
                new RetryPolicy(RetryRules.DEFAULT, InstantSource.system(), new Random(1), events);
        capsule =
                new Capsule(
                        settings,
                        execution,
                        new CapsuleParts(
                                broker,
                                outage,
                                new Routes(events),
                                pauses,
                                PayloadBudget.ofHeap(),
                                new RunParts(
                                        policy,
                                        settler,
                                        epoch,
                                        events,
                                        new RunTallies(false),
                                        cancelled)));
    }

    public void start() {
        lease();
        capsule.start();
    }

    void startAlone() {
        lease();
        capsule.startAlone();
    }

    /// Has it run suspects until there is none, and returns when that is over.
    void runSuspects() {
        CountDownLatch end = startSuspects();
        Eventually.until("no suspect is left", () -> end.getCount() == 0);
    }

    /// Has it run suspects.
    ///
    /// @return open when none is left
    CountDownLatch startSuspects() {
        CountDownLatch end = new CountDownLatch(1);
        Outage outage = new Outage(events, System::nanoTime);
        new Suspects(List.of(capsule), outage, Duration.ofMillis(500), end::countDown).start();
        return end;
    }

    private void lease() {
        try (Leasing leasing = broker.leasing()) {
            leasing.open(epoch.owner(), settings.queues().names(), LONG);
        }
        epoch.leasedUntil(System.nanoTime() + LONG.toNanos());
        settler.start();
    }

    public Capsule capsule() {
        return capsule;
    }

    /// Which queues are paused for it.
    public Pauses pauses() {
        return pauses;
    }

    /// Which jobs are cancelled for it.
    public Cancelled cancelled() {
        return cancelled;
    }

    public RecordedEvents events() {
        return events;
    }

    /// What keeps the cancelled jobs at what Redis says; it is the caller's to start and stop.
    public CancelWatch cancelWatch(KeyReports reports) {
        QueueLayout layout = QueueLayout.SIDEKIQ;
        return new CancelWatch(
                reports.watch(layout.cancelled()::equals),
                layout,
                cancelled,
                settler,
                events,
                new Outage(events, System::nanoTime));
    }

    public Epoch epoch() {
        return epoch;
    }

    public void push(String queue, String... payloads) {
        try (Enqueuing enqueuing = broker.enqueuing()) {
            enqueuing.push(
                    queue,
                    List.of(payloads).stream()
                            .map(text -> text.getBytes(StandardCharsets.UTF_8))
                            .toList());
            enqueuing.flush();
        }
    }

    public void awaitEnded(int runs) {
        Eventually.until(runs + " runs ended", () -> capsule.counters().ended() >= runs);
    }

    /// Has Redis make a settlement again that it has lost.
    public void settleAgain(Settled one) {
        settler.settle(one);
    }

    /// Waits until all outcomes so far are settled.
    public void flush() {
        if (!settler.flush(LONG)) {
            throw new AssertionError("not settled");
        }
    }

    /// Stops at once. What ran goes back to its queue.
    @Override
    public void close() {
        capsule.stop(Duration.ZERO);
        settler.stop(Duration.ofSeconds(20));
    }
}
