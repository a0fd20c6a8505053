package dev.mawashi.migrate;

import java.util.Set;

/// Jobs that are in the first Redis still, and the processes that may bring more.
///
/// @param processes that beat there
/// @param inFlight jobs in hand of processes, dead ones too
/// @param waiting jobs in queues and sets, but those of places that were refused
public record Left(long processes, long inFlight, long waiting) {
    /// @param refused keys of places from which nothing can be moved
    public static Left of(Found found, Set<String> refused) {
        return new Left(found.processes(), found.inFlight(), refused.isEmpty() ? found.sum() : 0);
    }

    boolean isNothing() {
        return processes == 0 && inFlight == 0 && waiting == 0;
    }
}
