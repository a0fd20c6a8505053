package dev.mawashi.broker;

import dev.mawashi.redis.RedisFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a round of settling met.
///
/// @param late jobs that their owner held no longer, because another process had recovered them;
///   their settlements changed nothing
/// @param trimmed old entries that left the dead set because it was full or they were too old
/// @param refused what Redis refused to do; still in flight, to be sent again
/// @param reason why; null when nothing was refused
public record SettleReport(
        int late, int trimmed, List<Settled> refused, @Nullable RedisFailure reason) {
    public SettleReport {
        refused = List.copyOf(refused);
    }
}
