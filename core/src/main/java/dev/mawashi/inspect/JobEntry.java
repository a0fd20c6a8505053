package dev.mawashi.inspect;

import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/// A job where it was found.
///
/// @param score its place in a sorted set; NaN in a queue
/// @param place in a queue when it was read, as Redis counts: the newest 0, or from the other end,
///   the next to run -1; 0 in a set
public record JobEntry(JobView job, double score, long place) {
    /// By score, and equal scores by bytes, as Redis does.
    static final Comparator<JobEntry> ORDER =
            Comparator.comparingDouble(JobEntry::score)
                    .thenComparing(entry -> entry.job().payload(), Arrays::compareUnsigned);

    /// The year 9999.
    private static final double SECONDS_MAX = 253_402_300_799.0;

    /// Of a set.
    public JobEntry(JobView job, double score) {
        this(job, score, 0);
    }

    /// The same once so many have left the queue on that side of it from which its place is
    /// counted.
    public JobEntry after(long gone) {
        return new JobEntry(job, score, place < 0 ? place + gone : place - gone);
    }

    /// The same as far as it is shown, see `JobView`.
    public JobEntry shown() {
        return new JobEntry(job.shown(), score, place);
    }

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
