package dev.mawashi.dispatch;

import dev.mawashi.job.Outcome;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.metrics.RunTally;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Counts what one child has run for the metrics by class. Opened and closed by any thread; only
/// the child's reading thread counts.
final class ChildTally {
    private final RunTallies all;
    private final String runner;
    private final AtomicReference<@Nullable RunTally> open = new AtomicReference<>();
    private boolean isClosed;

    /// @param runner see `RunTallies.open`
    ChildTally(RunTallies all, String runner) {
        this.all = all;
        this.runner = runner;
    }

    /// Does nothing after `close`.
    synchronized void open() {
        if (!isClosed) {
            open.set(all.open(runner));
        }
    }

    /// @param nanos that it ran; 0 when that is not known, and a success is not counted then: those
    ///   of a class are counted together with how long they ran
    void count(@Nullable String jobClass, Outcome outcome, long nanos) {
        RunTally counting = open.get();
        if (counting != null && (nanos > 0 || !(outcome instanceof Outcome.Succeeded))) {
            long end = System.nanoTime();
            counting.count(jobClass, outcome, end - nanos, end);
        }
    }

    /// Nothing is counted any more.
    synchronized void close() {
        isClosed = true;
        RunTally counted = open.getAndSet(null);
        if (counted != null) {
            all.giveBack(counted);
        }
    }
}
