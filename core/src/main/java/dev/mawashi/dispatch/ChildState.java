package dev.mawashi.dispatch;

import java.time.Instant;
import java.util.Optional;

/// A process that runs jobs for this one, as it is now.
///
/// @param generation which start of the app's code it runs, from 1
/// @param isLeaving whether it gets no more jobs, since another takes its place or it is to end
/// @param isStopped whether it stands still, by a signal
/// @param busy jobs that it runs
/// @param slots jobs that it may run at once
/// @param startedAt empty when that is unknown
public record ChildState(
        long pid,
        int generation,
        boolean isLeaving,
        boolean isStopped,
        int busy,
        int slots,
        Optional<Instant> startedAt) {

    /// The same child, with what it runs for another capsule.
    public ChildState with(ChildState more) {
        return new ChildState(
                pid,
                generation,
                isLeaving || more.isLeaving,
                isStopped || more.isStopped,
                busy + more.busy,
                slots + more.slots,
                startedAt);
    }
}
