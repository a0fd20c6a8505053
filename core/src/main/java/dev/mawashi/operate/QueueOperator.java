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
    private final JobReader reader;
    private final QueueEditing editing;

    /// For entries that were chosen one by one.
    private final QueueEditing chosen;

    private final UndoTable undo;

    public QueueOperator(JobReader reader, QueueEditing editing, UndoTable undo) {
        this.reader = reader;
        this.editing = editing;
        chosen = editing.everywhere();
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
        QueueBatch batch = new QueueBatch(some -> deleteSome(editing, queue, some, keeping));
        reader.scan(
                queue,
                query,
                (found, looked) -> {
                    Report done = batch.add(found);
                    progress.told(batch.sum(), looked);
                    return (int) done.touched();
                });
        batch.flush();
        return batch.sum();
    }

    /// Deletes these.
    ///
    /// @param entries the next to run first
    public Report delete(String queue, List<JobEntry> entries, Keeping keeping) {
        return QueueBatch.all(entries, some -> deleteSome(chosen, queue, some, keeping));
    }

    private static Report deleteSome(
            QueueEditing by, String queue, List<JobEntry> some, Keeping keeping) {
        int deleted = by.delete(queue, waiting(some), keeping);
        return new Report(deleted, some.size() - deleted, 0, 0);
    }

    private static List<QueueEditing.Waiting> waiting(List<JobEntry> entries) {
        return entries.stream()
                .map(entry -> new QueueEditing.Waiting(entry.job().payload(), entry.place()))
                .toList();
    }

    /// Moves those that match and wait now to another queue, in their order. Jobs that run
    /// meanwhile shift the others, so that some may be passed over; all of them wait while the
    /// queue is paused.
    ///
    /// @param keeping takes what undoing needs
    public Report move(
            String queue, String other, JobQuery query, Keeping keeping, Progress progress) {
        QueueBatch batch = new QueueBatch(some -> moveSome(editing, queue, other, some, keeping));
        long size = reader.size(queue);
        long looked = 0;
        long at = 0;
        while (looked < size) {
            int most = (int) Math.min(JobReader.PAGE, size - looked);
            List<JobEntry> page = reader.page(queue, at, most);
            if (page.isEmpty()) {
                break;
            }
            Report done =
                    batch.add(page.stream().filter(entry -> query.matches(entry.job())).toList());
            looked += page.size();
            at += page.size() - done.touched() - done.gone();
            progress.told(batch.sum(), looked);
        }
        batch.flush();
        return batch.sum();
    }

    /// Moves these, wherever they are.
    ///
    /// @param entries the next to run first
    public Report move(String queue, String other, List<JobEntry> entries, Keeping keeping) {
        return QueueBatch.all(entries, some -> moveSome(chosen, queue, other, some, keeping));
    }

    private Report moveSome(
            QueueEditing by, String queue, String other, List<JobEntry> some, Keeping keeping) {
        Map<String, String> change = Map.of("queue", Json.quote(other));
        List<JobEntry> jobs = new ArrayList<>(some.size());
        List<QueueEditing.Move> moves = new ArrayList<>(some.size());
        for (JobEntry entry : some) {
            byte[] payload = entry.job().payload();
            Payload job = Payload.tryParse(payload);
            if (job != null) {
                jobs.add(entry);
                moves.add(new QueueEditing.Move(payload, job.with(change)));
            }
        }
        undo.noteMoved(moves, keeping);
        List<byte[]> changed = moves.stream().map(QueueEditing.Move::changed).toList();
        int moved = by.move(queue, other, waiting(jobs), changed);
        return new Report(moved, jobs.size() - moved, some.size() - jobs.size(), 0);
    }
}
