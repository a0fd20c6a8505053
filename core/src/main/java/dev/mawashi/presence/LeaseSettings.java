package dev.mawashi.presence;

import java.time.Duration;

/// Settings of leases.
///
/// @param length time without renewal after which others take a process for dead; 1 s to 1 h
/// @param sweep time between two looks for dead processes; 100 ms to 1 h
public record LeaseSettings(Duration length, Duration sweep) {
    /// 30 s and 15 s: a dead process's jobs are back within 45 s.
    public static final Duration LENGTH = Duration.ofSeconds(30);

    public static final Duration SWEEP = Duration.ofSeconds(15);

    private static final Duration MAX = Duration.ofHours(1);

    public LeaseSettings {
        if (length.toMillis() < 1_000 || length.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(
                    "lease is " + length.toMillis() / 1_000.0 + " s, must be 1 s to 1 h");
        }
        if (sweep.toMillis() < 100 || sweep.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(
                    "sweep is " + sweep.toMillis() / 1_000.0 + " s, must be 0.1 s to 1 h");
        }
    }
}
