package dev.mawashi.live;

import dev.mawashi.inspect.Stats;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/// How many runs end a second, by the last readings. Safe for any thread.
public final class Pulse {
    private static final long SPAN_NANOS = Duration.ofSeconds(30).toNanos();
    private static final double NANOS_A_SECOND = 1e9;

    private final LongSupplier nanoTime;
    private final Deque<Beat> beats = new ArrayDeque<>();

    private record Beat(long nanos, long processed, long failed) {}

    /// @param processed a second; negative while it is not known
    public record Rate(double processed, double failed) {
        static final Rate UNKNOWN = new Rate(-1, -1);
    }

    /// @param nanoTime a monotonic clock
    public Pulse(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /// Takes a reading, and tells the rate over the last half minute.
    public synchronized Rate rate(Stats stats) {
        Beat now = new Beat(nanoTime.getAsLong(), stats.processed(), stats.failed());
        beats.addLast(now);
        // The oldest one stays until another is old enough to measure by.
        while (beats.size() > 2 && now.nanos() - second().nanos() >= SPAN_NANOS) {
            beats.removeFirst();
        }
        Beat first = beats.getFirst();
        double seconds = (now.nanos() - first.nanos()) / NANOS_A_SECOND;
        // Somebody has set the counters back.
        if (now.processed() < first.processed() || now.failed() < first.failed()) {
            beats.clear();
            beats.addLast(now);
            return Rate.UNKNOWN;
        }
        return seconds < 1
                ? Rate.UNKNOWN
                : new Rate(
                        (now.processed() - first.processed()) / seconds,
                        (now.failed() - first.failed()) / seconds);
    }

    private Beat second() {
        return beats.stream().skip(1).findFirst().orElseThrow();
    }
}
