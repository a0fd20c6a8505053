package dev.mawashi.operate;

import dev.mawashi.inspect.EntryKey;
import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.SetEditing;
import dev.mawashi.tables.UndoTable;
import dev.mawashi.wire.JobSet;
import dev.mawashi.wire.MalformedPayload;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Acts on those jobs of a set that a query finds, a page at a time. One thread's.
///
/// An act that fails half-way has been done to some and not to others; each job is in one place all
/// the same, and the act can be repeated.
public final class SetOperator {
    private final JobReader reader;

    /// Ids that are remembered, so that this takes no more memory the longer the act takes.
    private static final int MOVED_MAX = 100_000;

    private final SetEditing editing;
    private final UndoTable undo;
    private final InstantSource clock;

    public SetOperator(JobReader reader, SetEditing editing, UndoTable undo, InstantSource clock) {
        this.reader = reader;
        this.editing = editing;
        this.undo = undo;
        this.clock = clock;
    }

    /// How many jobs match.
    public long count(JobSet set, JobQuery query, JobReader.Sink progress) {
        return query.isAll() ? reader.size(set) : reader.find(set, query, 0, progress).total();
    }

    /// Does the act to all jobs that match.
    ///
    /// @param keeping takes what undoing needs
    public Report apply(
            JobSet set, JobQuery query, SetAct act, Keeping keeping, Progress progress) {
        Report[] sum = {Report.NOTHING};
        Set<String> moved = new LinkedHashSet<>();
        reader.scan(
                set,
                query,
                (found, looked) -> {
                    sum[0] = sum[0].plus(applyTo(set, fresh(found, moved), act, keeping));
                    if (act instanceof SetAct.Run || act instanceof SetAct.Requeue) {
                        remember(found, moved);
                    }
                    progress.told(sum[0], looked);
                    return 0;
                });
        return sum[0];
    }

    /// The entries, without those of jobs that were moved with an earlier page: a job that fails at
    /// once comes back to the retry set while the search still goes through it.
    private static List<JobEntry> fresh(List<JobEntry> found, Set<String> moved) {
        return found.stream()
                .filter(entry -> entry.job().jid().isEmpty() || !moved.contains(entry.job().jid()))
                .toList();
    }

    private static void remember(List<JobEntry> found, Set<String> moved) {
        found.forEach(entry -> moved.add(entry.job().jid()));
        Iterator<String> oldest = moved.iterator();
        while (moved.size() > MOVED_MAX) {
            oldest.next();
            oldest.remove();
        }
    }

    /// Does the act to these.
    public Report applyTo(JobSet set, List<JobEntry> entries, SetAct act, Keeping keeping) {
        Report sum = Report.NOTHING;
        for (int from = 0; from < entries.size(); from += SetEditing.ENTRIES_MAX) {
            int to = Math.min(entries.size(), from + SetEditing.ENTRIES_MAX);
            sum = sum.plus(act(set, entries.subList(from, to), act, keeping));
        }
        return sum;
    }

    private Report act(JobSet set, List<JobEntry> entries, SetAct act, Keeping keeping) {
        List<byte[]> payloads = entries.stream().map(entry -> entry.job().payload()).toList();
        return switch (act) {
            case SetAct.Run run -> run(set, entries, "", run.isRetry(), keeping);
            case SetAct.Requeue to -> run(set, entries, to.queue(), to.isRetry(), keeping);
            case SetAct.Reschedule to -> {
                undo.note(scored(entries), keeping);
                yield new Report(editing.reschedule(set, payloads, to.due()), 0, 0, 0);
            }
            case SetAct.Bury bury -> {
                undo.note(scored(entries), keeping);
                SetEditing.Buried buried = editing.bury(set, payloads, bury.limits());
                yield report(entries.size(), buried.moved(), 0, buried.trimmed());
            }
            case SetAct.Delete _ ->
                    report(entries.size(), editing.delete(set, payloads, keeping), 0, 0);
        };
    }

    private static List<UndoTable.Scored> scored(List<JobEntry> entries) {
        return entries.stream()
                .map(entry ->
                        new UndoTable.Scored(entry.job().payload(), EntryKey.score(entry.score())))
                .toList();
    }

    private Report run(
            JobSet set, List<JobEntry> entries, String queue, boolean isRetry, Keeping keeping) {
        List<SetEditing.Move> moves = new ArrayList<>(entries.size());
        List<UndoTable.Enqueued> enqueued = new ArrayList<>(entries.size());
        for (JobEntry entry : entries) {
            try {
                byte[] bytes = entry.job().payload();
                SetEditing.Move move = Requeued.of(bytes, queue, isRetry, clock.instant());
                moves.add(move);
                enqueued.add(
                        new UndoTable.Enqueued(
                                move.queue(),
                                move.payload(),
                                bytes,
                                EntryKey.score(entry.score())));
            } catch (MalformedPayload _) {
                // Counted below: no run could ever use it.
            }
        }
        undo.noteEnqueued(enqueued, keeping);
        int moved = moves.isEmpty() ? 0 : editing.toQueues(set, moves);
        return report(moves.size(), moved, entries.size() - moves.size(), 0);
    }

    private static Report report(int wanted, int touched, int malformed, int trimmed) {
        return new Report(touched, wanted - touched, malformed, trimmed);
    }
}
