package dev.mawashi.operate;

import dev.mawashi.tables.UndoTable;
import dev.mawashi.wire.JobSet;
import java.util.Optional;

/// Undoes acts, as far as that can be: what has begun to run meanwhile goes on. One thread's.
public final class Undoer {
    private final UndoTable table;

    public Undoer(UndoTable table) {
        this.table = table;
    }

    /// Whether there is anything to undo still. What an act enqueued can only be taken back where
    /// all of it was noted, for the rest has other jobs behind it.
    public boolean canUndo(AuditEntry entry) {
        boolean isNoted =
                switch (Act.named(entry.act()).orElse(Act.UNDO)) {
                    case RETRY, RUN, REQUEUE, MOVE -> entry.report().touched() <= entry.kept();
                    case DELETE, BURY, RESCHEDULE, CLEAR -> true;
                    case REMOVE,
                            PAUSE,
                            UNPAUSE,
                            RESUME,
                            FREE,
                            QUIET,
                            STOP,
                            RESTART,
                            RELOAD,
                            DUMP,
                            HEAP,
                            CANCEL,
                            ERASE,
                            MIGRATE,
                            UNDO ->
                            false;
                };
        boolean mayBeKept = entry.kept() > 0 || entry.state() != AuditEntry.State.DONE;
        return isNoted && mayBeKept && entry.hasWholeNames() && table.exists(entry.id());
    }

    /// Undoes it. Two at once undo each job once.
    ///
    /// @return how many jobs are back
    public Report undo(AuditEntry entry) {
        Optional<JobSet> set = Places.set(entry.place());
        Optional<String> queue = Places.queue(entry.place());
        if (!canUndo(entry)) {
            return Report.NOTHING;
        }
        long back = 0;
        if (set.isPresent()) {
            back = undo(entry, set.get());
        } else if (queue.isPresent()) {
            back =
                    entry.act().equals(Act.MOVE.word())
                            ? table.moveBack(entry.id(), queue.get(), entry.to())
                            : table.putBackJobs(entry.id(), queue.get());
        }
        long wanted = Math.min(entry.report().touched(), entry.kept());
        return new Report(back, Math.max(0, wanted - back), 0, 0);
    }

    private long undo(AuditEntry entry, JobSet set) {
        return switch (Act.named(entry.act()).orElseThrow()) {
            case DELETE, CLEAR -> table.putBack(entry.id(), set, null);
            case BURY -> table.putBack(entry.id(), set, JobSet.DEAD);
            case RESCHEDULE -> table.putBackTimes(entry.id(), set);
            default -> table.unqueue(entry.id(), set);
        };
    }
}
