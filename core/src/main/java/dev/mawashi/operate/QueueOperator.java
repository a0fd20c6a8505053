package dev.mawashi.operate;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.tables.UndoTable;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Deletes or moves those jobs of a queue that a query finds, a page at a time. One thread's.
public final class QueueOperator {
    /// One job is moved whatever its size.
    private static final int STEP_BYTES = 256 << 10;

    /// Jobs that Redis goes past in a step: it walks the list for each that it moves.
    private static final long STEP_LOOKED = 50_000;

    private final JobReader reader;
    private final QueueEditing editing;
    private final UndoTable undo;

    public QueueOperator(JobReader reader, QueueEditing editing, UndoTable undo) {
        this.reader = reader;
        this.editing = editing;
        this.undo = undo;
    }

    /// How many waiting jobs match.
    public long count(String queue, JobQuery query, JobReader.Sink progress) {
        return query.isAll() ? reader.size(queue) : reader.find(queue, query, 0, progress).total();
    }

    /// Deletes all that match.
    ///
    /// @param keeping takes what undoing needs
    public Report delete(String queue, JobQuery query, Keeping keeping, Progress progress) {
        Report[] sum = {Report.NOTHING};
        reader.scan(
                queue,
                query,
                (found, looked) -> {
                    int deleted =
                            editing.delete(
                                    queue, payloads(found), QueueEditing.From.NEWEST, keeping);
                    sum[0] = sum[0].plus(new Report(deleted, found.size() - deleted, 0, 0));
                    progress.told(sum[0], looked);
                    return deleted;
                });
        return sum[0];
    }

    /// Deletes these.
    ///
    /// @param entries the next to run first
    public Report delete(String queue, List<JobEntry> entries, Keeping keeping) {
        int deleted =
                editing.delete(queue, payloads(entries), QueueEditing.From.NEXT_TO_RUN, keeping);
        return new Report(deleted, entries.size() - deleted, 0, 0);
    }

    private static List<byte[]> payloads(List<JobEntry> entries) {
        return entries.stream().map(entry -> entry.job().payload()).toList();
    }

    /// Moves those that match and wait now to another queue, in their order. Jobs that run
    /// meanwhile shift the others, so that some may be passed over; all of them wait while the
    /// queue is paused.
    ///
    /// @param keeping takes what undoing needs
    public Report move(
            String queue, String other, JobQuery query, Keeping keeping, Progress progress) {
        Report sum = Report.NOTHING;
        long size = reader.size(queue);
        long looked = 0;
        long at = 0;
        while (looked < size) {
            int most = (int) Math.min(QueueEditing.JOBS_MAX, size - looked);
            List<JobEntry> page = reader.page(queue, at, most);
            if (page.isEmpty()) {
                return sum;
            }
            List<JobEntry> found =
                    page.stream().filter(entry -> query.matches(entry.job())).toList();
            Report moved = move(queue, other, found, at + page.size(), keeping);
            sum = sum.plus(moved);
            looked += page.size();
            at += page.size() - moved.touched() - moved.gone();
            progress.told(sum, looked);
        }
        return sum;
    }

    /// Moves these, wherever they are.
    ///
    /// @param entries the next to run first
    public Report move(String queue, String other, List<JobEntry> entries, Keeping keeping) {
        return move(queue, other, entries, reader.size(queue), keeping);
    }

    /// @param depth the place of the last of them at most, the next to run 0
    private Report move(
            String queue, String other, List<JobEntry> entries, long depth, Keeping keeping) {
        Report sum = Report.NOTHING;
        int most = Math.clamp(STEP_LOOKED / (depth + 1), 1, QueueEditing.JOBS_MAX);
        int from = 0;
        while (from < entries.size()) {
            int to = end(entries, from, most);
            sum = sum.plus(moveSome(queue, other, entries.subList(from, to), keeping));
            from = to;
        }
        return sum;
    }

    /// Where a step ends that begins there: so that no script holds Redis for long, also not with
    /// large jobs.
    private static int end(List<JobEntry> entries, int from, int most) {
        int to = from;
        long bytes = 0;
        while (to < entries.size() && to - from < most) {
            bytes += entries.get(to).job().payload().length;
            if (bytes > STEP_BYTES && to > from) {
                break;
            }
            to++;
        }
        return to;
    }

    private Report moveSome(String queue, String other, List<JobEntry> some, Keeping keeping) {
        Map<String, String> change = Map.of("queue", Json.quote(other));
        List<QueueEditing.Move> moves = new ArrayList<>(some.size());
        for (JobEntry entry : some) {
            byte[] payload = entry.job().payload();
            Payload job = Payload.tryParse(payload);
            if (job != null) {
                moves.add(new QueueEditing.Move(payload, job.with(change)));
            }
        }
        undo.noteMoved(moves, keeping);
        int moved = editing.move(queue, other, moves);
        return new Report(moved, moves.size() - moved, some.size() - moves.size(), 0);
    }
}
