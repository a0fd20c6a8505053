package dev.mawashi.alarm;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// All that alarms are judged by, measured at one moment.
///
/// @param at by a clock that never goes back, from any beginning
/// @param now time of day
/// @param children memory of each child in KiB, by pid; of those where it is known
/// @param lost children that ended unasked, since the start
/// @param late jobs that others had recovered before they ended, since the start
/// @param suspected jobs that this process found to be suspects, since the start
/// @param redis empty while Redis does not answer
public record Reading(
        Duration at,
        Instant now,
        JvmReading jvm,
        Map<Long, Long> children,
        long lost,
        long late,
        long suspected,
        Optional<RedisReading> redis) {
    public Reading {
        children = Map.copyOf(children);
    }
}
