package dev.mawashi.figures;

import java.time.Duration;
import java.util.List;

/// The runs of all classes in a period.
///
/// @param classes those with the most runs first
/// @param total how many classes ran
/// @param timesOf span before now that the run times are of; shorter than the period where there
///   are many classes, or no more is kept
/// @param isWhole false when there was more than is read at once: then the oldest is missing
/// @param steps what ended in each step of the period
public record ClassTable(
        Period period,
        List<ClassRuns> classes,
        long total,
        Duration timesOf,
        boolean isWhole,
        List<Step> steps) {
    public ClassTable {
        classes = List.copyOf(classes);
        steps = List.copyOf(steps);
    }

    /// The runs that ended in a step.
    ///
    /// @param second at which it begins, since 1970
    public record Step(long second, long processed, long failed) {}

    /// The run times of all classes together.
    public RunTimes times() {
        return classes.stream().map(ClassRuns::times).reduce(RunTimes.NONE, RunTimes::plus);
    }
}
