package dev.mawashi.live;

import dev.mawashi.figures.Stats;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/// The runs per second, by the last readings of the counters. Safe for any thread.
///
/// Processes write their counters every few seconds, so a reading between finds the same as before.
/// Therefore it measures from one change to another. With several processes, each of which writes
/// in its own rhythm, these are mostly two of the same process.
public final class Pulse {
    /// A process that works writes its counters at least that often: Sidekiq every ten seconds.
    private static final long CHANGE_NANOS_MAX = Duration.ofSeconds(15).toNanos();

    private static final long USUAL_NANOS = Duration.ofSeconds(10).toNanos();
    private static final Duration USUAL_SPAN = Duration.ofSeconds(30);
    private static final double NANOS_PER_SECOND = 1e9;

    private final LongSupplier nanoTime;
    private final long spanNanos;
    private final Deque<Beat> changes = new ArrayDeque<>();

    /// Whether the first of them is a reading like any other, and counters may have changed long
    /// before.
    private boolean isFirstLate;

    private long lastNanos;

    private record Beat(long nanos, long processed, long failed) {
        /// What was counted from this to another, over the time up to `end`.
        Rate rate(Beat last, long end) {
            double seconds = (end - nanos) / NANOS_PER_SECOND;
            return new Rate(
                    (last.processed - processed) / seconds, (last.failed - failed) / seconds);
        }
    }

    /// @param processed per second; negative while it is not known
    public record Rate(double processed, double failed) {
        static final Rate UNKNOWN = new Rate(-1, -1);

        boolean isKnown() {
            return processed >= 0;
        }
    }

    /// Of the last half minute.
    ///
    /// @param nanoTime a monotonic clock
    public Pulse(LongSupplier nanoTime) {
        this(nanoTime, USUAL_SPAN);
    }

    /// @param nanoTime a clock
    /// @param span of which the rate is, at least
    Pulse(LongSupplier nanoTime, Duration span) {
        this.nanoTime = nanoTime;
        spanNanos = span.toNanos();
    }

    /// Takes a reading; the rate up to it.
    public synchronized Rate rate(Stats stats) {
        Beat now = new Beat(nanoTime.getAsLong(), stats.processed(), stats.failed());
        Beat before = changes.peekLast();
        // The first, or somebody has set the counters back.
        if (before == null
                || now.processed() < before.processed()
                || now.failed() < before.failed()) {
            changes.clear();
            begin(now);
        } else if (now.processed() > before.processed() || now.failed() > before.failed()) {
            add(now, before);
        }
        lastNanos = now.nanos();
        return rate(now.nanos());
    }

    private void begin(Beat first) {
        changes.addLast(first);
        isFirstLate = true;
    }

    private void add(Beat now, Beat before) {
        if (now.nanos() - before.nanos() > CHANGE_NANOS_MAX) {
            // Nothing ran for a while, and then something did since the last time that it would
            // have shown.
            long from = Math.min(lastNanos, now.nanos() - USUAL_NANOS);
            changes.clear();
            begin(new Beat(Math.max(before.nanos(), from), before.processed(), before.failed()));
        }
        changes.addLast(now);
        // As soon as the others are of more than one write of a process's.
        if (isFirstLate && changes.size() > 2 && now.nanos() - second().nanos() >= USUAL_NANOS) {
            changes.removeFirst();
            isFirstLate = false;
        }
        // The oldest one stays until another is old enough to measure by.
        while (changes.size() > 2 && now.nanos() - second().nanos() >= spanNanos) {
            changes.removeFirst();
        }
    }

    private Rate rate(long nanos) {
        Beat first = changes.getFirst();
        Beat last = changes.getLast();
        if (nanos - last.nanos() > CHANGE_NANOS_MAX) {
            return new Rate(0, 0);
        }
        if (!isFirstLate) {
            return first.rate(last, last.nanos());
        }
        return nanos - first.nanos() < NANOS_PER_SECOND ? Rate.UNKNOWN : first.rate(last, nanos);
    }

    private Beat second() {
        return changes.stream().skip(1).findFirst().orElseThrow();
    }
}
