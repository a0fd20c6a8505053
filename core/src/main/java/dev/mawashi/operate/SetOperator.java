package dev.mawashi.operate;

import dev.mawashi.inspect.EntryKey;
import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.redis.RedisConnection;
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

/// Acts on jobs of a set.
public final class SetOperator implements Operator {
    /// Ids that are remembered, so that this takes no more memory the longer the act takes.
    private static final int MOVED_MAX = 100_000;

    private static final Set<Act> ENQUEUING = Set.of(Act.RETRY, Act.RUN, Act.REQUEUE);

    private final JobSet set;
    private final JobReader reader;
    private final SetEditing editing;
    private final UndoTable undo;
    private final InstantSource clock;

    /// @param connection for all that it does; whoever made it closes it
    public SetOperator(JobSet set, RedisConnection connection, InstantSource clock) {
        this.set = set;
        this.clock = clock;
        reader = new JobReader(connection);
        editing = new SetEditing(connection);
        undo = new UndoTable(connection);
    }

    @Override
    public long size() {
        return reader.size(set);
    }

    @Override
    public long count(JobQuery query, JobReader.Sink progress) {
        return query.isAll() ? reader.size(set) : reader.find(set, query, 0, progress).total();
    }

    @Override
    public Report perform(Change change, JobQuery query, Keeping keeping, Progress progress) {
        Report[] sum = {Report.NOTHING};
        Set<String> moved = new LinkedHashSet<>();
        reader.scan(
                set,
                query,
                (found, looked) -> {
                    sum[0] = sum[0].plus(perform(change, fresh(found, moved), keeping));
                    if (ENQUEUING.contains(change.act())) {
                        remember(found, moved);
                    }
                    progress.reached(sum[0], looked);
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

    /// Does an act to these.
    ///
    /// @throws IllegalArgumentException as the other
    public Report perform(Change change, List<JobEntry> entries, Keeping keeping) {
        Report sum = Report.NOTHING;
        for (int from = 0; from < entries.size(); from += SetEditing.ENTRIES_MAX) {
            int to = Math.min(entries.size(), from + SetEditing.ENTRIES_MAX);
            sum = sum.plus(act(change, entries.subList(from, to), keeping));
        }
        return sum;
    }

    private Report act(Change change, List<JobEntry> entries, Keeping keeping) {
        List<byte[]> payloads = entries.stream().map(entry -> entry.job().payload()).toList();
        return switch (change.act()) {
            case RETRY -> run(entries, "", true, keeping);
            case RUN -> run(entries, "", false, keeping);
            case REQUEUE -> run(entries, change.to(), set != JobSet.SCHEDULE, keeping);
            case RESCHEDULE -> {
                undo.note(scored(entries), keeping);
                yield new Report(editing.reschedule(set, payloads, change.due()), 0, 0, 0);
            }
            case BURY -> {
                undo.note(scored(entries), keeping);
                SetEditing.Buried buried = editing.bury(set, payloads, change.dead());
                yield report(entries.size(), buried.moved(), 0, buried.trimmed());
            }
            case DELETE -> report(entries.size(), editing.delete(set, payloads, keeping), 0, 0);
            default -> throw new IllegalArgumentException(change.act() + " in a set");
        };
    }

    private static List<UndoTable.Scored> scored(List<JobEntry> entries) {
        return entries.stream()
                .map(entry ->
                        new UndoTable.Scored(entry.job().payload(), EntryKey.score(entry.score())))
                .toList();
    }

    /// @param isRetry the try does not count, as with the Retry button of Sidekiq's page
    private Report run(List<JobEntry> entries, String queue, boolean isRetry, Keeping keeping) {
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
