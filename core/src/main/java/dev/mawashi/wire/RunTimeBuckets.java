package dev.mawashi.wire;

/// The buckets in which Sidekiq counts how long runs took (docs/formats/sidekiq.md, "Metrics").
public final class RunTimeBuckets {
    private static final long[] BOUNDS = {
        20, 30, 45, 65, 100, 150, 225, 335, 500, 750, 1_100, 1_700, 2_500, 3_800, 5_750, 8_500,
        13_000, 20_000, 30_000, 45_000, 65_000, 100_000, 150_000, 225_000, 335_000
    };

    /// How many there are; the last has no upper bound.
    public static final int COUNT = BOUNDS.length + 1;

    private RunTimeBuckets() {}

    /// The bucket of a time, from 0.
    public static int of(long millis) {
        int bucket = 0;
        while (bucket < BOUNDS.length && millis >= BOUNDS[bucket]) {
            bucket++;
        }
        return bucket;
    }

    /// Their upper bounds in milliseconds, which do not belong to them; none for the last bucket.
    public static long[] boundsMillis() {
        return BOUNDS.clone();
    }
}
