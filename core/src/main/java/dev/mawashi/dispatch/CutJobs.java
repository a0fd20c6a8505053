package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.job.Cut;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The jobs of a child that were asked to end, and those of them that did not. Safe for any thread.
final class CutJobs {
    private final Map<Long, Cut> asked = new ConcurrentHashMap<>();
    private final Map<Long, Cut> overdue = new ConcurrentHashMap<>();

    /// @return true when it is the first time for this job
    boolean ask(long id, Cut cut) {
        return asked.put(id, cut) == null;
    }

    /// The job under this id is not the child's any more.
    ///
    /// @return why it was asked to end; null when it was not
    @Nullable Cut forget(long id) {
        return asked.isEmpty() ? null : asked.remove(id);
    }

    /// True when no job is left that was asked to end.
    boolean areOver() {
        return asked.isEmpty();
    }

    /// A job has not ended though it was asked to.
    ///
    /// @return true when it is the first time for this job
    boolean noteOverdue(long id, Cut cut) {
        return overdue.put(id, cut) == null;
    }

    /// Why the child is killed, in words; empty when it is not.
    Optional<String> killReason() {
        return overdue.values().stream().findAny().map(CutJobs::told);
    }

    private static String told(Cut cut) {
        return "killed by the server, since a job "
                + switch (cut.reason()) {
                    case TIME_LIMIT -> cut.message();
                    case CANCELLED -> "that was cancelled did not end";
                };
    }

    /// Those that are overdue and still held.
    IdentityHashMap<Lease, Cut> late(HeldJobs held) {
        IdentityHashMap<Lease, Cut> late = new IdentityHashMap<>();
        overdue.forEach((id, cut) -> held.lease(id).ifPresent(lease -> late.put(lease, cut)));
        return late;
    }
}
