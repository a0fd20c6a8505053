package dev.mawashi.operate;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.tables.UndoTable;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Deletes or moves jobs that wait in a queue.
public final class QueueOperator implements Operator {
    private final String queue;
    private final JobReader reader;
    private final QueueEditing editing;

    /// For entries that were chosen one by one.
    private final QueueEditing chosen;

    private final UndoTable undo;

    /// @param connection for all that it does; whoever made it closes it
    public QueueOperator(String queue, RedisConnection connection) {
        this.queue = queue;
        reader = new JobReader(connection);
        editing = new QueueEditing(connection);
        chosen = editing.everywhere();
        undo = new UndoTable(connection);
    }

    @Override
    public long size() {
        return reader.size(queue);
    }

    @Override
    public long count(JobQuery query, JobReader.Sink progress) {
        return query.isAll() ? reader.size(queue) : reader.find(queue, query, 0, progress).total();
    }

    @Override
    public Report perform(Change change, JobQuery query, Keeping keeping, Progress progress) {
        QueueBatch batch = new QueueBatch(some -> some(editing, change, some, keeping));
        return switch (change.act()) {
            case DELETE -> delete(query, batch, progress);
            case MOVE -> move(query, batch, progress);
            default -> throw new IllegalArgumentException(change.act() + " in a queue");
        };
    }

    /// Does an act to these, wherever they are.
    ///
    /// @param entries the next to run first
    /// @throws IllegalArgumentException as the other
    public Report perform(Change change, List<JobEntry> entries, Keeping keeping) {
        return QueueBatch.all(entries, some -> some(chosen, change, some, keeping));
    }

    private Report some(QueueEditing by, Change change, List<JobEntry> some, Keeping keeping) {
        return switch (change.act()) {
            case DELETE -> deleteSome(by, some, keeping);
            case MOVE -> moveSome(by, change.to(), some, keeping);
            default -> throw new IllegalArgumentException(change.act() + " in a queue");
        };
    }

    private Report delete(JobQuery query, QueueBatch batch, Progress progress) {
        reader.scan(
                queue,
                query,
                (found, looked) -> {
                    Report done = batch.add(found);
                    progress.reached(batch.sum(), looked);
                    return (int) done.touched();
                });
        batch.flush();
        return batch.sum();
    }

    private Report deleteSome(QueueEditing by, List<JobEntry> some, Keeping keeping) {
        int deleted = by.delete(queue, waiting(some), keeping);
        return new Report(deleted, some.size() - deleted, 0, 0);
    }

    private static List<QueueEditing.Waiting> waiting(List<JobEntry> entries) {
        return entries.stream()
                .map(entry -> new QueueEditing.Waiting(entry.job().payload(), entry.place()))
                .toList();
    }

    /// Moves those that match and wait now, in their order. Jobs that run meanwhile shift the
    /// others, so that some may be passed over; all of them wait while the queue is paused.
    private Report move(JobQuery query, QueueBatch batch, Progress progress) {
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
            progress.reached(batch.sum(), looked);
        }
        batch.flush();
        return batch.sum();
    }

    private Report moveSome(QueueEditing by, String other, List<JobEntry> some, Keeping keeping) {
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
