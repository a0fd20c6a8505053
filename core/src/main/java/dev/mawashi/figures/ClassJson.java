package dev.mawashi.figures;

import dev.mawashi.wire.JsonFields;
import java.util.List;
import java.util.OptionalLong;

/// The runs of classes, and the waits of jobs, as JSON, for the command line and the API.
public final class ClassJson {
    private ClassJson() {}

    /// A class on its own. Percentiles are upper bounds of Sidekiq's buckets, in milliseconds; null
    /// when nothing ran, or beyond the last bound.
    public static String of(ClassRuns runs) {
        return fields(runs).toString();
    }

    /// The same with the runs of each step of the period, oldest first, and of each bucket.
    public static String whole(ClassRuns runs) {
        return fields(runs)
                .array("steps", numbers(runs.bars()))
                .array("histogram", numbers(runs.times().counts()))
                .toString();
    }

    /// How long jobs waited until they were claimed, in the same way.
    ///
    /// @param minutes that it covers
    public static String ofWaits(RunTimes waits, int minutes) {
        return new JsonFields()
                .number("minutes", minutes)
                .number("jobs", waits.total())
                .json("p50_ms", percentile(waits, 50))
                .json("p95_ms", percentile(waits, 95))
                .json("p99_ms", percentile(waits, 99))
                .array("histogram", numbers(waits.counts()))
                .toString();
    }

    private static JsonFields fields(ClassRuns runs) {
        return new JsonFields()
                .text("class", runs.jobClass())
                .number("processed", runs.processed())
                .number("failed", runs.failed())
                .number("millis", runs.millis())
                .json("by_runner", byRunner(runs).toString())
                .json("p50_ms", percentile(runs.times(), 50))
                .json("p95_ms", percentile(runs.times(), 95))
                .json("p99_ms", percentile(runs.times(), 99));
    }

    private static JsonFields byRunner(ClassRuns runs) {
        JsonFields fields = new JsonFields();
        runs.byRunner().forEach(one -> fields.number(one.runner(), one.runs()));
        return fields;
    }

    private static String percentile(RunTimes times, double percent) {
        OptionalLong bound = times.percentileMillis(percent);
        return bound.isEmpty() || bound.getAsLong() == RunTimes.BEYOND
                ? "null"
                : Long.toString(bound.getAsLong());
    }

    private static List<String> numbers(List<Long> numbers) {
        return numbers.stream().map(String::valueOf).toList();
    }
}
