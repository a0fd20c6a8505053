package dev.mawashi.metrics;

import dev.mawashi.job.Outcome;
import dev.mawashi.wire.RunTimeBuckets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/// The runs of one class in one slot.
///
/// The slot's thread alone writes `counts`, which only grow; the flush reads them a little late and
/// remembers in `taken`, which is its own, what it has had. So nobody locks, nothing is reset, and
/// no run is lost or had twice. A run is added to `PROCESSED` first and that is read last: what is
/// read never has more failures or times than runs.
final class ClassTally {
    static final int BUCKETS = RunTimeBuckets.COUNT;
    static final int FAILED = BUCKETS;
    static final int MILLIS = BUCKETS + 1;
    static final int PROCESSED = BUCKETS + 2;
    static final int SIZE = BUCKETS + 3;

    private static final long NANOS_A_MILLI = 1_000_000;

    private final AtomicLongArray counts = new AtomicLongArray(SIZE);
    private final long[] taken = new long[SIZE];

    /// See `RunTimeBuckets`.
    static List<Long> boundsMillis() {
        return Arrays.stream(RunTimeBuckets.boundsMillis()).boxed().toList();
    }

    /// A run's time is, as in Sidekiq, the difference of two clocks that show whole milliseconds:
    /// the sum of many short runs is then right, where each one rounded would give nothing.
    void count(Outcome outcome, long startNanos, long endNanos) {
        add(PROCESSED, 1);
        if (outcome instanceof Outcome.Succeeded) {
            long millis = endNanos / NANOS_A_MILLI - startNanos / NANOS_A_MILLI;
            add(MILLIS, millis);
            add(RunTimeBuckets.of(millis), 1);
        } else {
            add(FAILED, 1);
        }
    }

    private void add(int place, long number) {
        counts.setRelease(place, counts.getPlain(place) + number);
    }

    /// Adds all that was counted to a sum. Safe for any thread.
    void addTo(long[] sum) {
        for (int place = 0; place < SIZE; place++) {
            sum[place] += counts.getAcquire(place);
        }
    }

    /// Adds what has come since the last time to a sum.
    void takeInto(long[] sum) {
        for (int place = 0; place < SIZE; place++) {
            long count = counts.getAcquire(place);
            sum[place] += count - taken[place];
            taken[place] = count;
        }
    }
}
