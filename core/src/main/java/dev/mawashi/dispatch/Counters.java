package dev.mawashi.dispatch;

import dev.mawashi.job.Outcome;
import java.util.concurrent.atomic.LongAdder;

/// Counts of a capsule's slots since the start.
public final class Counters {
    private final LongAdder ended = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    void ended(long runNanos, Outcome outcome) {
        if (outcome instanceof Outcome.Malformed) {
            // As in Sidekiq, what is no job counts neither as processed nor as failed.
            return;
        }
        ended.increment();
        nanos.add(runNanos);
        if (!(outcome instanceof Outcome.Succeeded)) {
            failed.increment();
        }
    }

    void succeeded(int runs, long runNanos) {
        ended.add(runs);
        nanos.add(runNanos);
    }

    /// Runs that ended, failed ones among them.
    public long ended() {
        return ended.sum();
    }

    public long failed() {
        return failed.sum();
    }

    /// Time that runs took, summed over all slots.
    public long nanos() {
        return nanos.sum();
    }
}
