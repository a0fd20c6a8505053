package dev.mawashi.metrics;

import dev.mawashi.figures.MetricsBatch.ClassRuns;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// The tallies of all slots of the process.
public final class RunTallies {
    private final boolean isOn;
    private final List<RunTally> slots = new CopyOnWriteArrayList<>();
    private final Map<String, Queue<RunTally>> free = new ConcurrentHashMap<>();
    private final WaitTally waits;

    /// @param isOn whether anything is counted
    public RunTallies(boolean isOn) {
        this.isOn = isOn;
        waits = new WaitTally(isOn, InstantSource.system());
    }

    /// How long the jobs waited that were claimed.
    public WaitTally waits() {
        return waits;
    }

    /// A tally for one slot; null when nothing is counted.
    ///
    /// @param runner what runs the slot's jobs, in one word
    public @Nullable RunTally open(String runner) {
        if (!isOn) {
            return null;
        }
        RunTally left = free(runner).poll();
        if (left != null) {
            return left;
        }
        RunTally tally = new RunTally(runner);
        slots.add(tally);
        return tally;
    }

    /// Takes a tally that its slot needs no more; what it counted stays in it. Slots come and go,
    /// and there are no more tallies than slots at once.
    public void giveBack(RunTally tally) {
        free(tally.runner()).add(tally);
    }

    private Queue<RunTally> free(String runner) {
        return free.computeIfAbsent(runner, _ -> new ConcurrentLinkedQueue<>());
    }

    /// Upper bounds, in milliseconds, of the buckets that run times are counted in; one more is
    /// beyond the last.
    public static List<Long> boundsMillis() {
        return ClassTally.boundsMillis();
    }

    /// What has been counted since the start, by runner and class. Safe for any thread.
    public Map<String, List<ClassRuns>> totals() {
        Map<String, Map<String, long[]>> sums = new TreeMap<>();
        slots.forEach(
                slot -> slot.addTo(sums.computeIfAbsent(slot.runner(), _ -> new TreeMap<>())));
        Map<String, List<ClassRuns>> totals = new TreeMap<>();
        sums.forEach((runner, byClass) ->
                totals.put(
                        runner,
                        byClass.entrySet().stream()
                                .map(one -> runs(one.getKey(), one.getValue()))
                                .toList()));
        return totals;
    }

    /// What has been counted since the last call, by runner and class; nothing of classes that have
    /// not run. Always called by the same thread.
    Map<String, List<ClassRuns>> take() {
        Map<String, Map<String, long[]>> sums = new TreeMap<>();
        slots.forEach(
                slot -> slot.takeInto(sums.computeIfAbsent(slot.runner(), _ -> new TreeMap<>())));
        Map<String, List<ClassRuns>> runs = new TreeMap<>();
        sums.forEach((runner, byClass) -> runs.put(runner, haveRun(byClass)));
        return runs;
    }

    private static List<ClassRuns> haveRun(Map<String, long[]> sums) {
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
