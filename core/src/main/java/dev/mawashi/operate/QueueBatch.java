package dev.mawashi.operate;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.tables.QueueEditing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/// Gathers jobs of a queue that an act is for, and does it to many at once: Redis walks through the
/// queue once each time. One thread's.
final class QueueBatch {
    /// So that no script holds Redis for long. One job is acted on whatever its size.
    private static final int STEP_BYTES = 256 << 10;

    private final Function<List<JobEntry>, Report> act;
    private final List<JobEntry> waiting = new ArrayList<>();
    private Report sum = Report.NOTHING;
    private long restUntil = System.nanoTime();

    /// @param act done to jobs in the order in which they were read, and no more than
    ///   `QueueEditing.JOBS_MAX`
    QueueBatch(Function<List<JobEntry>, Report> act) {
        this.act = act;
    }

    /// Does an act to all of these.
    static Report all(List<JobEntry> entries, Function<List<JobEntry>, Report> act) {
        QueueBatch batch = new QueueBatch(act);
        batch.add(entries);
        batch.flush();
        return batch.sum;
    }

    /// Takes jobs that were read after those before, with nothing removed in between but by this.
    ///
    /// @return what came of it now, which may be of jobs that were added before
    Report add(List<JobEntry> found) {
        waiting.addAll(found);
        return end(0) < waiting.size() || waiting.size() == QueueEditing.JOBS_MAX
                ? flush()
                : Report.NOTHING;
    }

    /// Does the act to those that it has not been done to.
    Report flush() {
        Report done = Report.NOTHING;
        int from = 0;
        while (from < waiting.size()) {
            int to = end(from);
            long removed = done.touched();
            List<JobEntry> some =
                    waiting.subList(from, to).stream().map(entry -> entry.after(removed)).toList();
            done = done.plus(step(some));
            from = to;
        }
        waiting.clear();
        sum = sum.plus(done);
        return done;
    }

    /// Lets others have Redis for as long as the step before took.
    private Report step(List<JobEntry> some) {
        LockSupport.parkNanos(restUntil - System.nanoTime());
        long began = System.nanoTime();
        Report done = act.apply(some);
        long ended = System.nanoTime();
        restUntil = ended + (ended - began);
        return done;
    }

    /// Where a step ends that begins there.
    private int end(int from) {
        int to = from;
        long bytes = 0;
        while (to < waiting.size() && to - from < QueueEditing.JOBS_MAX) {
            bytes += waiting.get(to).job().payload().length;
            if (bytes > STEP_BYTES && to > from) {
                break;
            }
            to++;
        }
        return to;
    }

    /// What came of it so far.
    Report sum() {
        return sum;
    }
}
