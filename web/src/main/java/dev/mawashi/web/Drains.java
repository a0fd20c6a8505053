package dev.mawashi.web;

import dev.mawashi.figures.Stats;
import dev.mawashi.pages.Drain;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// The growth of each queue, by the readings of the last half minute. Safe for any thread.
final class Drains {
    private static final long SPAN_NANOS = Duration.ofSeconds(30).toNanos();

    /// Readings that come quicker are not kept.
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private static final int QUEUES_MAX = 1_000;
    private static final double NANOS_A_SECOND = 1e9;

    private final LongSupplier nanoTime;
    private final Deque<Reading> readings = new ArrayDeque<>();

    private record Reading(long nanos, Map<String, Long> sizes) {}

    /// @param nanoTime a monotonic clock
    Drains(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /// Takes a reading, and reports each queue that was there in the oldest one, a second ago at
    /// least.
    synchronized Map<String, Drain> drains(List<Stats.QueueStats> queues) {
        long now = nanoTime.getAsLong();
        while (!readings.isEmpty() && now - readings.getFirst().nanos() > SPAN_NANOS) {
            readings.removeFirst();
        }
        Map<String, Long> sizes = new HashMap<>();
        queues.stream().limit(QUEUES_MAX).forEach(queue -> sizes.put(queue.name(), queue.size()));
        Map<String, Drain> drains = new HashMap<>();
        if (!readings.isEmpty() && now - readings.getFirst().nanos() >= PAUSE_NANOS) {
            Reading first = readings.getFirst();
            double seconds = (now - first.nanos()) / NANOS_A_SECOND;
            sizes.forEach((name, size) -> {
                Long before = first.sizes().get(name);
                if (before != null) {
                    drains.put(name, Drain.of(size, (size - before) / seconds));
                }
            });
        }
        if (readings.isEmpty() || now - readings.getLast().nanos() >= PAUSE_NANOS) {
            readings.addLast(new Reading(now, sizes));
        }
        return drains;
    }
}
