package dev.mawashi.inspect;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A stretch of time, open at an end that is null.
///
/// @param from the first moment in it
/// @param to the first moment after it
public record TimeRange(@Nullable Instant from, @Nullable Instant to) {
    /// All of time.
    public static final TimeRange ALL = new TimeRange(null, null);

    private static final double MILLIS_A_SECOND = 1_000.0;

    public boolean isAll() {
        return from == null && to == null;
    }

    boolean has(Instant time) {
        return (from == null || !time.isBefore(from)) && (to == null || time.isBefore(to));
    }

    /// Whether it has the time that a score stands for.
    boolean hasScore(double score) {
        return (from == null || score >= seconds(from)) && (to == null || score < seconds(to));
    }

    /// A time as a score.
    static double seconds(Instant time) {
        return time.toEpochMilli() / MILLIS_A_SECOND;
    }
}
