package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.children.Child;
import dev.mawashi.children.ChildPool;
import dev.mawashi.job.Cut;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The jobs of a child that were asked to end, and those of them that did not. Safe for any thread.
///
/// While there are any the child takes no others, of other capsules neither: should it have to be
/// killed, they would have to run again. Of a child that is killed for one that is overdue, what
/// becomes of its jobs is decided when it is gone, since until then any may still end well.
final class CutJobs {
    private final ChildPool pool;
    private final HeldJobs held;
    private final Intake intake;
    private final Neighbours beside;
    private final Map<Long, Cut> asked = new ConcurrentHashMap<>();
    private final Map<Long, Cut> overdue = new ConcurrentHashMap<>();

    /// @param held the jobs of the child
    /// @param intake by which the child takes jobs
    /// @param beside what else the child runs
    CutJobs(ChildPool pool, HeldJobs held, Intake intake, Neighbours beside) {
        this.pool = pool;
        this.held = held;
        this.intake = intake;
        this.beside = beside;
    }

    /// Asks a job to end. Does nothing when the child does not hold it.
    void ask(Child child, Lease lease, Cut cut) {
        held.id(lease).ifPresent(id -> ask(child, id, cut));
    }

    private void ask(Child child, long id, Cut cut) {
        // Before it is noted: whoever takes the last note out ends the rest.
        beside.rest(this);
        boolean isFirst = asked.put(id, cut) == null;
        if (isFirst) {
            recallUnbegun(child);
        }
        child.cut(id, cut);
        if (held.lease(id).isEmpty()) {
            // It ended in between, and its end has perhaps not seen that it was asked to.
            Cut _ = forget(id);
        }
    }

    /// Has what the child has not begun come back, as far as that can be seen from here.
    void recallUnbegun(Child child) {
        if (held.size() > intake.slots()) {
            child.recall();
        }
    }

    /// Kills a job that did not let itself be asked: where it has a process of its own, that at
    /// first, else the child. Does nothing when the child does not hold it.
    void end(Child child, Lease lease, Cut cut) {
        held.id(lease)
                .ifPresent(id -> {
                    boolean isFirst = overdue.put(id, cut) == null;
                    if (pool.isForking() && isFirst) {
                        child.kill(id);
                    } else {
                        pool.kill(child);
                    }
                });
    }

    /// The job under this id is not the child's any more.
    ///
    /// @return why it was asked to end; null when it was not
    @Nullable Cut forget(long id) {
        Cut cut = asked.isEmpty() ? null : asked.remove(id);
        if (cut != null && asked.isEmpty()) {
            beside.goOn(this);
        }
        return cut;
    }

    /// Why the child is killed, in words; empty when it is not.
    Optional<String> killReason() {
        return overdue.values().stream().findAny().map(CutJobs::shown);
    }

    private static String shown(Cut cut) {
        return "killed by the server, since a job "
                + switch (cut.reason()) {
                    case TIME_LIMIT -> cut.message();
                    case CANCELLED -> "that was cancelled did not end";
                };
    }

    /// Adds those that are overdue and still held.
    void addLate(IdentityHashMap<Lease, Cut> late) {
        overdue.forEach((id, cut) -> held.lease(id).ifPresent(lease -> late.put(lease, cut)));
    }
}
