package dev.mawashi.operate;

import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.tables.QueueEditing;
import java.util.List;

/// Deletes those jobs of a queue that a query finds, a page at a time. One thread's.
public final class QueueOperator {
    private final JobReader reader;
    private final QueueEditing editing;

    public QueueOperator(JobReader reader, QueueEditing editing) {
        this.reader = reader;
        this.editing = editing;
    }

    /// How many waiting jobs match.
    public long count(String queue, JobQuery query, JobReader.Sink progress) {
        return query.isAll() ? reader.size(queue) : reader.find(queue, query, 0, progress).total();
    }

    /// Deletes all that match.
    public Report delete(String queue, JobQuery query, JobReader.Sink progress) {
        Report[] sum = {Report.NOTHING};
        reader.scan(
                queue,
                query,
                (found, looked) -> {
                    List<byte[]> payloads =
                            found.stream().map(entry -> entry.job().payload()).toList();
                    int deleted = editing.delete(queue, payloads);
                    sum[0] = sum[0].plus(new Report(deleted, found.size() - deleted, 0, 0));
                    progress.take(found, looked);
                    return deleted;
                });
        return sum[0];
    }
}
