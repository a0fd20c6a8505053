package dev.mawashi.schedule;

import dev.mawashi.broker.Scheduling;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
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
    private static final int REFUSALS_KEPT = 100;

    private final Scheduling scheduling;
    private final TimeStyle times;
    private final InstantSource clock;
    private final Listener listener;
    private final Map<String, Instant> refusalsReported = new HashMap<>();
    private Set<Scheduling.From> unreadableTold = Set.of();
    private final DueLoop loop;

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
        loop =
                new DueLoop("schedule", this::move, scheduling::awaitChange, outage)
                        .over(scheduling::wake, scheduling::close);
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration move() {
        Scheduling.Due due = scheduling.due(DueLoop.BATCH, DueLoop.BATCH_BYTES);
        reportUnreadable(due.unreadable());
        promote(due.entries());
        return due.entries().isEmpty() ? DueLoop.until(due.nextMillis()) : Duration.ZERO;
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

    /// One line per queue and minute, however many jobs it has.
    private void report(Map<String, String> refused) {
        Instant now = clock.instant();
        long againSeconds = Scheduling.REFUSED_WAIT.toSeconds();
        refused.forEach((queue, reason) -> {
            Instant reported = refusalsReported.get(queue);
            if (reported == null || !now.isBefore(reported.plusSeconds(againSeconds))) {
                // Names come from payloads, so there may be any number of them.
                if (refusalsReported.size() >= REFUSALS_KEPT) {
                    refusalsReported.clear();
                }
                refusalsReported.put(queue, now);
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
