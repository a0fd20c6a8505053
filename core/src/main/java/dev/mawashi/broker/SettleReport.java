package dev.mawashi.broker;

import dev.mawashi.redis.RedisFailure;
import java.util.List;
import java.util.Objects;

/// The result of a round of settling.
///
/// @param late jobs that ended though their owner held them no longer, because another process had
///   recovered them; their settlements changed nothing
/// @param lost those among them whose job failed: it is neither retried nor buried nor listed as
///   failed by this settlement
/// @param trimmed old entries that left the dead set because it was full or they were too old
/// @param refused what Redis refused to do; still in flight, to be sent again
public record SettleReport(int late, List<Settled> lost, int trimmed, List<Refused> refused) {
    public SettleReport {
        lost = List.copyOf(lost);
        refused = List.copyOf(refused);
    }

    /// A settlement that Redis refused, with the reason.
    public record Refused(Settled settled, RedisFailure reason) {
        public Refused {
            Objects.requireNonNull(settled, "settled");
            Objects.requireNonNull(reason, "reason");
        }
    }
}
