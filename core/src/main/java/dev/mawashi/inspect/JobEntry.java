package dev.mawashi.inspect;

import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/// A job where it was found.
///
/// @param score its place in a sorted set; NaN in a queue
public record JobEntry(JobView job, double score) {
    /// By score, and equal scores by bytes, as Redis does.
    static final Comparator<JobEntry> ORDER =
            Comparator.comparingDouble(JobEntry::score)
                    .thenComparing(entry -> entry.job().payload(), Arrays::compareUnsigned);

    /// The year 9999.
    private static final double SECONDS_MAX = 253_402_300_799.0;

    public boolean isOfSet() {
        return !Double.isNaN(score);
    }

    /// The score as a time; empty for none that could be meant.
    public Optional<Instant> at() {
        return score > 0 && score <= SECONDS_MAX
                ? Optional.of(Instant.ofEpochMilli(Math.round(score * 1_000)))
                : Optional.empty();
    }
}
