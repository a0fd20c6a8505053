package dev.mawashi.alarm;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// All that alarms are judged by, measured at one moment.
///
/// @param at by a clock that never goes back, from any beginning
/// @param now time of day
/// @param children those whose memory is known, by pid
/// @param lost children that ended unasked, since the start
/// @param late jobs that others had recovered before they ended, since the start
/// @param suspected jobs that this process found to be suspects, since the start
/// @param redis empty while Redis does not answer
public record Reading(
        Duration at,
        Instant now,
        JvmReading jvm,
        Map<Long, Child> children,
        long lost,
        long late,
        long suspected,
        Optional<RedisReading> redis) {
    public Reading {
        children = Map.copyOf(children);
    }

    /// A child process.
    ///
    /// @param kib its memory in KiB
    /// @param threads 0 where that is unknown
    public record Child(long kib, int threads) {}
}
