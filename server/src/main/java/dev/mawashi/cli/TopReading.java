package dev.mawashi.cli;

import dev.mawashi.figures.Stats;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.WorkView;
import dev.mawashi.wire.JsonFields;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// One reading of `mawashi top`.
///
/// @param work what runs, longest first
record TopReading(Instant at, Stats stats, List<ProcessRecord> processes, List<WorkView> work) {
    /// Running jobs that one line of JSON names.
    private static final int JOBS_MAX = 20;

    TopReading {
        processes = List.copyOf(processes);
        work = List.copyOf(work);
    }

    /// Runs ended per second since `before`.
    OptionalDouble processedRate(@Nullable TopReading before) {
        return before == null
                ? OptionalDouble.empty()
                : rate(before, stats.processed() - before.stats.processed());
    }

    /// Runs failed per second since `before`.
    OptionalDouble failedRate(@Nullable TopReading before) {
        return before == null
                ? OptionalDouble.empty()
                : rate(before, stats.failed() - before.stats.failed());
    }

    /// Nothing can be said where the counter was reset or the clock was set back.
    private OptionalDouble rate(TopReading before, long more) {
        long millis = Duration.between(before.at, at).toMillis();
        return more < 0 || millis <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(more * 1_000.0 / millis);
    }

    String json(@Nullable TopReading before) {
        JsonFields line =
                new JsonFields()
                        .text("at", at.toString())
                        .number("processed", stats.processed())
                        .decimal("processed_per_s", processedRate(before), 1)
                        .number("failed", stats.failed())
                        .decimal("failed_per_s", failedRate(before), 1)
                        .number("enqueued", stats.enqueued())
                        .number("scheduled", stats.scheduled())
                        .number("retries", stats.retries())
                        .number("dead", stats.dead())
                        .array(
                                "queues",
                                stats.queues().stream().map(Stats.QueueStats::json).toList())
                        .array("processes", processes.stream().map(one -> one.json(at)).toList())
                        .array("jobs", work.stream().limit(JOBS_MAX).map(WorkView::json).toList());
        return JobRows.escaped(line.toString());
    }
}
