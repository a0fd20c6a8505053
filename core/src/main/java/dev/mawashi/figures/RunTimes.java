package dev.mawashi.figures;

import dev.mawashi.wire.RunTimeBuckets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/// The times that successful runs took, or jobs waited, counted by Sidekiq's buckets.
///
/// @param counts runs or jobs in each bucket, of which there are `RunTimeBuckets.COUNT`
public record RunTimes(List<Long> counts) {
    /// What stands for a run that took longer than all bounds.
    public static final long BEYOND = Long.MAX_VALUE;

    /// Nothing ran.
    public static final RunTimes NONE = of(new long[RunTimeBuckets.COUNT]);

    private static final int COUNTER_BYTES = 2;

    public RunTimes {
        counts = List.copyOf(counts);
    }

    static RunTimes of(long[] counts) {
        return new RunTimes(Arrays.stream(counts).boxed().toList());
    }

    /// Adds what Redis holds of a minute: counters of 16 bits.
    static void add(long[] sums, byte[] histogram) {
        int held = Math.min(sums.length, histogram.length / COUNTER_BYTES);
        for (int bucket = 0; bucket < held; bucket++) {
            int at = bucket * COUNTER_BYTES;
            sums[bucket] += ((histogram[at] & 0xff) << 8) | (histogram[at + 1] & 0xff);
        }
    }

    public long total() {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    /// The bound of milliseconds below which so many of the runs stayed. No more is known than the
    /// bucket, so this is its upper bound and not a run's time.
    ///
    /// @param percent above 0, up to 100
    /// @return `BEYOND` above all bounds; empty when nothing ran
    public OptionalLong percentileMillis(double percent) {
        double rank = Math.max(1, total() * percent / 100);
        long[] bounds = RunTimeBuckets.boundsMillis();
        long seen = 0;
        for (int bucket = 0; bucket < counts.size(); bucket++) {
            seen += counts.get(bucket);
            if (seen >= rank) {
                return OptionalLong.of(bucket < bounds.length ? bounds[bucket] : BEYOND);
            }
        }
        return OptionalLong.empty();
    }

    /// Both together.
    public RunTimes plus(RunTimes other) {
        List<Long> sums = new ArrayList<>();
        for (int bucket = 0; bucket < counts.size(); bucket++) {
            sums.add(counts.get(bucket) + other.counts.get(bucket));
        }
        return new RunTimes(sums);
    }
}
