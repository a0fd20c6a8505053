package dev.mawashi.pages;

import dev.mawashi.figures.ClassRuns;
import dev.mawashi.figures.Period;
import dev.mawashi.wire.RunTimeBuckets;
import java.util.ArrayList;
import java.util.List;

/// The runs of one class in a period.
public record ClassPage(Shell shell, Period period, ClassRuns runs) {
    private static final int PERCENT = 100;

    /// Runs of one bucket of time.
    ///
    /// @param percent of the fullest bucket
    public record Bucket(String below, long runs, long percent) {}

    /// What a runner ran of all runs.
    public long percent(ClassRuns.ByRunner one) {
        return Math.min(PERCENT, one.runs() * PERCENT / Math.max(1, runs.processed()));
    }

    /// The buckets from the first to the last that has runs.
    public List<Bucket> buckets() {
        List<Long> counts = runs.times().counts();
        long[] bounds = RunTimeBuckets.boundsMillis();
        long most = Math.max(1, counts.stream().mapToLong(Long::longValue).max().orElse(1));
        List<Bucket> buckets = new ArrayList<>();
        int end = 0;
        for (int i = 0; i < counts.size(); i++) {
            String below =
                    i < bounds.length
                            ? "< " + Show.millis((double) bounds[i])
                            : "≥ " + Show.millis((double) bounds[i - 1]);
            buckets.add(new Bucket(below, counts.get(i), counts.get(i) * PERCENT / most));
            end = counts.get(i) > 0 ? i + 1 : end;
        }
        return buckets.subList(0, end);
    }
}
