package dev.mawashi.metrics;

import dev.mawashi.job.Outcome;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The runs of one slot of a runner, by class. Its thread counts, another reads.
public final class RunTally {
    /// Names come out of payloads, so there may be any number of them. An app has far fewer; what
    /// is above is not counted.
    static final int CLASSES_MAX = 2_000;

    private final String runner;
    private final Map<String, ClassTally> byClass = new ConcurrentHashMap<>();

    /// The slot's thread's: most jobs are of the same class as the one before.
    private @Nullable String lastClass;

    private @Nullable ClassTally last;

    RunTally(String runner) {
        this.runner = runner;
    }

    String runner() {
        return runner;
    }

    /// Counts a run.
    ///
    /// @param jobClass the name it counts under; null when it never came as far as a job class
    /// @param startNanos when it began, by `System.nanoTime`
    /// @param endNanos when it ended
    public void count(@Nullable String jobClass, Outcome outcome, long startNanos, long endNanos) {
        if (jobClass == null) {
            return;
        }
        if (!jobClass.equals(lastClass)) {
            last = find(jobClass);
            lastClass = jobClass;
        }
        ClassTally tally = last;
        if (tally != null) {
            tally.count(outcome, startNanos, endNanos);
        }
    }

    private @Nullable ClassTally find(String jobClass) {
        ClassTally tally = byClass.get(jobClass);
        if (tally == null && byClass.size() < CLASSES_MAX) {
            tally = new ClassTally();
            byClass.put(jobClass, tally);
        }
        return tally;
    }

    /// Adds all that was counted to sums by class. Safe for any thread.
    void addTo(Map<String, long[]> sums) {
        byClass.forEach((jobClass, tally) ->
                tally.addTo(sums.computeIfAbsent(jobClass, _ -> new long[ClassTally.SIZE])));
    }

    /// Adds what has come since the last time to sums by class.
    void takeInto(Map<String, long[]> sums) {
        byClass.forEach((jobClass, tally) ->
                tally.takeInto(sums.computeIfAbsent(jobClass, _ -> new long[ClassTally.SIZE])));
    }
}
