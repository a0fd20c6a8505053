package dev.mawashi.operate;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.inspect.JobView;
import dev.mawashi.tables.SetEditing;
import dev.mawashi.wire.JobSet;
import dev.mawashi.wire.MalformedPayload;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Acts on those jobs of a set that a query finds, a page at a time. One thread's.
///
/// An act that fails half-way has been done to some and not to others; each job is in one place all
/// the same, and the act can be repeated.
public final class SetOperator {
    private final JobReader reader;
    private final SetEditing editing;
    private final InstantSource clock;

    public SetOperator(JobReader reader, SetEditing editing, InstantSource clock) {
        this.reader = reader;
        this.editing = editing;
        this.clock = clock;
    }

    /// How many jobs match.
    public long count(JobSet set, JobQuery query, JobReader.Sink progress) {
        return query.isAll() ? reader.size(set) : reader.find(set, query, 0, progress).total();
    }

    /// Does the act to all jobs that match.
    public Report apply(JobSet set, JobQuery query, SetAct act, JobReader.Sink progress) {
        Report[] sum = {Report.NOTHING};
        Set<String> moved = new HashSet<>();
        reader.scan(
                set,
                query,
                (found, looked) -> {
                    List<byte[]> entries = payloads(found, moved);
                    for (int from = 0; from < entries.size(); from += SetEditing.ENTRIES_MAX) {
                        int to = Math.min(entries.size(), from + SetEditing.ENTRIES_MAX);
                        sum[0] = sum[0].plus(act(set, entries.subList(from, to), act));
                    }
                    if (act instanceof SetAct.Run) {
                        found.forEach(entry -> moved.add(entry.job().jid()));
                    }
                    return progress.take(found, looked);
                });
        return sum[0];
    }

    /// The payloads, without those of jobs that were moved with an earlier page: a job that fails
    /// at once comes back to the retry set while the search still goes through it.
    private static List<byte[]> payloads(List<JobEntry> found, Set<String> moved) {
        return found.stream()
                .map(JobEntry::job)
                .filter(job -> job.jid().isEmpty() || !moved.contains(job.jid()))
                .map(JobView::payload)
                .toList();
    }

    private Report act(JobSet set, List<byte[]> entries, SetAct act) {
        return switch (act) {
            case SetAct.Run run -> run(set, entries, run.isRetry());
            case SetAct.Reschedule to ->
                    new Report(editing.reschedule(set, entries, to.due()), 0, 0, 0);
            case SetAct.Bury bury -> {
                SetEditing.Buried buried = editing.bury(set, entries, bury.limits());
                yield report(entries.size(), buried.moved(), 0, buried.trimmed());
            }
            case SetAct.Delete _ -> report(entries.size(), editing.delete(set, entries), 0, 0);
        };
    }

    private Report run(JobSet set, List<byte[]> entries, boolean isRetry) {
        List<SetEditing.Move> moves = new ArrayList<>(entries.size());
        for (byte[] entry : entries) {
            try {
                moves.add(Requeued.of(entry, isRetry, clock.instant()));
            } catch (MalformedPayload _) {
                // Counted below: no run could ever use it.
            }
        }
        int moved = moves.isEmpty() ? 0 : editing.toQueues(set, moves);
        return report(moves.size(), moved, entries.size() - moves.size(), 0);
    }

    private static Report report(int wanted, int touched, int malformed, int trimmed) {
        return new Report(touched, wanted - touched, malformed, trimmed);
    }
}
