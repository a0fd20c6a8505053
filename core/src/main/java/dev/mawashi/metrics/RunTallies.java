package dev.mawashi.metrics;

import dev.mawashi.broker.MetricsBatch.ClassRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// The tallies of all slots of the process.
public final class RunTallies {
    private final boolean isOn;
    private final List<RunTally> slots = new CopyOnWriteArrayList<>();

    /// @param isOn whether anything is counted
    public RunTallies(boolean isOn) {
        this.isOn = isOn;
    }

    /// A tally for one slot; null when nothing is counted.
    public @Nullable RunTally open() {
        if (!isOn) {
            return null;
        }
        RunTally tally = new RunTally();
        slots.add(tally);
        return tally;
    }

    /// What has been counted since the last call, by class; nothing of classes that have not run.
    /// Always called by the same thread.
    List<ClassRuns> take() {
        Map<String, long[]> sums = new TreeMap<>();
        slots.forEach(slot -> slot.takeInto(sums));
        List<ClassRuns> runs = new ArrayList<>();
        sums.forEach((jobClass, sum) -> {
            // A run may be had in two parts: itself, and then how it ended.
            if (Arrays.stream(sum).anyMatch(count -> count > 0)) {
                runs.add(runs(jobClass, sum));
            }
        });
        return runs;
    }

    private static ClassRuns runs(String jobClass, long[] sum) {
        return new ClassRuns(
                jobClass,
                sum[ClassTally.PROCESSED],
                sum[ClassTally.FAILED],
                sum[ClassTally.MILLIS],
                Arrays.stream(sum, 0, ClassTally.BUCKETS).boxed().toList());
    }
}
