package dev.mawashi.schedule;

import dev.mawashi.broker.Scheduling;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import dev.mawashi.wire.TimeStyle;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Moves jobs to their queue when they are due.
///
/// It sleeps until the next due time that it knows of, or until one of the sets changes. A job is
/// moved with a new `enqueued_at` by a script that moves it only if it is still there, so any
/// number of processes may do this side by side, and a crash leaves the job in one place or the
/// other.
public final class Promoter implements Service {
    /// Entries of each set that are moved together, which holds Redis for 0.2 ms.
    private static final int BATCH = 100;

    /// Most bytes of them, since large ones hold Redis for longer.
    private static final int BATCH_BYTES = 256 << 10;

    /// A session whose connection is cut while this sleeps is told of no change, and finds out when
    /// it next looks.
    private static final Duration SLEEP_MAX = Duration.ofSeconds(5);

    /// Shortest time between two looks, so that a busy enqueuer does not keep this thread busy.
    private static final Duration SLEEP_MIN = Duration.ofMillis(5);

    private static final int REFUSALS_KEPT = 100;

    private final Scheduling scheduling;
    private final TimeStyle times;
    private final InstantSource clock;
    private final Listener listener;
    private final Outage outage;
    private final Backoff backoff = new Backoff();
    private final Map<String, Instant> refusalsTold = new HashMap<>();
    private Set<Scheduling.From> unreadableTold = Set.of();
    private final Loop loop;

    /// @param times how the app's Sidekiq writes times, for jobs that hold none
    public Promoter(
            Scheduling scheduling,
            TimeStyle times,
            InstantSource clock,
            Listener listener,
            Outage outage) {
        this.scheduling = scheduling;
        this.times = times;
        this.clock = clock;
        this.listener = listener;
        this.outage = outage;
        loop =
                Loop.platform("schedule", this::step)
                        .wakingSteps(scheduling::wake)
                        .farewell(scheduling::close);
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration step() {
        try {
            Scheduling.Due due = scheduling.due(BATCH, BATCH_BYTES);
            reportUnreadable(due.unreadable());
            promote(due.entries());
            // Only now: where moving is refused, looking still succeeds each time.
            outage.up();
            backoff.reset();
            if (due.entries().isEmpty()) {
                sleep(due);
            }
        } catch (RuntimeException failure) {
            if (!loop.isStopping()) {
                outage.failed("schedule", failure);
                backoff.pause();
            }
        }
        return Duration.ZERO;
    }

    /// Once for a set, until it can be read again.
    private void reportUnreadable(Map<Scheduling.From, String> unreadable) {
        unreadable.forEach((from, reason) -> {
            if (!unreadableTold.contains(from)) {
                listener.on(new Event.SetUnreadable(from.key(), reason));
            }
        });
        unreadableTold = unreadable.keySet();
    }

    private void sleep(Scheduling.Due due) {
        Duration wait =
                due.nextMillis().isEmpty()
                        ? SLEEP_MAX
                        : Duration.ofMillis(
                                Math.min(due.nextMillis().getAsLong(), SLEEP_MAX.toMillis()));
        long started = System.nanoTime();
        scheduling.awaitChange(wait);
        Duration slept = Duration.ofNanos(System.nanoTime() - started);
        if (slept.compareTo(SLEEP_MIN) < 0 && wait.compareTo(SLEEP_MIN) > 0) {
            java.util.concurrent.locks.LockSupport.parkNanos(SLEEP_MIN.minus(slept).toNanos());
        }
    }

    private void promote(List<Scheduling.Entry> entries) {
        List<Scheduling.Promotion> promotions = new ArrayList<>(entries.size());
        Map<Scheduling.Entry, String> malformed = new LinkedHashMap<>();
        for (Scheduling.Entry entry : entries) {
            try {
                promotions.add(promotion(entry));
            } catch (MalformedPayload problem) {
                malformed.put(entry, problem.reason());
            }
        }
        if (!promotions.isEmpty()) {
            report(scheduling.promote(promotions).refused());
        }
        malformed.forEach((entry, reason) -> {
            int trimmed = scheduling.bury(entry);
            listener.on(new Event.JobBuried(new Event.JobName("", "", ""), reason));
            if (trimmed > 0) {
                listener.on(new Event.DeadSetTrimmed(trimmed));
            }
        });
    }

    /// One line a queue and minute, however many jobs it has.
    private void report(Map<String, String> refused) {
        Instant now = clock.instant();
        long againSeconds = Scheduling.REFUSED_WAIT.toSeconds();
        refused.forEach((queue, reason) -> {
            Instant told = refusalsTold.get(queue);
            if (told == null || !now.isBefore(told.plusSeconds(againSeconds))) {
                // Names come from payloads, so there may be any number of them.
                if (refusalsTold.size() >= REFUSALS_KEPT) {
                    refusalsTold.clear();
                }
                refusalsTold.put(queue, now);
                listener.on(new Event.QueueRefused(queue, reason, againSeconds));
            }
        });
    }

    private Scheduling.Promotion promotion(Scheduling.Entry entry) {
        Payload payload = Payload.parse(entry.payload());
        String queue = payload.text("queue");
        String now = TimeStyle.of(payload, times).format(clock.instant());
        if (queue == null || queue.isEmpty()) {
            Map<String, String> changes =
                    Map.of("queue", Json.quote("default"), "enqueued_at", now);
            return new Scheduling.Promotion(entry, "default", payload.with(changes));
        }
        return new Scheduling.Promotion(entry, queue, payload.with(Map.of("enqueued_at", now)));
    }

    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
