package dev.mawashi.operate;

import dev.mawashi.broker.DeadLimits;
import java.time.Instant;

/// An act on jobs, with what it needs.
///
/// @param to the queue that they go to; "" for their own
/// @param due when they are due, for `RESCHEDULE`
/// @param dead what the dead set holds at most, for `BURY`
public record Change(Act act, String to, Instant due, DeadLimits dead) {
    /// An act that needs nothing.
    public static Change of(Act act) {
        return to(act, "");
    }

    /// `REQUEUE` or `MOVE`.
    public static Change to(Act act, String queue) {
        return new Change(act, queue, Instant.EPOCH, DeadLimits.DEFAULT);
    }

    public static Change reschedule(Instant due) {
        return new Change(Act.RESCHEDULE, "", due, DeadLimits.DEFAULT);
    }

    public static Change bury(DeadLimits dead) {
        return new Change(Act.BURY, "", Instant.EPOCH, dead);
    }

    /// What is recorded before it is made.
    ///
    /// @param place see `Places`
    /// @param which the jobs, in words
    public Audit.Intent intent(String place, String which) {
        String when = act == Act.RESCHEDULE ? " to " + due : "";
        return new Audit.Intent(act, place, to, which + when);
    }
}
