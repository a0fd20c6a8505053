package dev.mawashi.cli;

import dev.mawashi.inspect.ProcessJson;
import dev.mawashi.inspect.ProcessView;
import dev.mawashi.inspect.Stats;
import dev.mawashi.inspect.StatsJson;
import dev.mawashi.inspect.WorkView;
import dev.mawashi.wire.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One reading of `mawashi top`.
///
/// @param work what runs, longest first
record TopReading(Instant at, Stats stats, List<ProcessView> processes, List<WorkView> work) {
    /// Running jobs that one line of JSON names.
    private static final int JOBS_MAX = 20;

    TopReading {
        processes = List.copyOf(processes);
        work = List.copyOf(work);
    }

    /// Runs ended a second since `before`.
    OptionalDouble processedRate(@Nullable TopReading before) {
        return before == null
                ? OptionalDouble.empty()
                : rate(before, stats.processed() - before.stats.processed());
    }

    /// Runs failed a second since `before`.
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
        String line =
                String.format(
                        Locale.ROOT,
                        "{\"at\":%s,\"processed\":%d,\"processed_per_s\":%s,\"failed\":%d,"
                                + "\"failed_per_s\":%s,\"enqueued\":%d,\"scheduled\":%d,"
                                + "\"retries\":%d,\"dead\":%d,\"queues\":[%s],"
                                + "\"processes\":[%s],\"jobs\":[%s]}",
                        Json.quote(at.toString()),
                        stats.processed(),
                        number(processedRate(before)),
                        stats.failed(),
                        number(failedRate(before)),
                        stats.enqueued(),
                        stats.scheduled(),
                        stats.retries(),
                        stats.dead(),
                        stats.queues().stream().map(StatsJson::of).collect(Collectors.joining(",")),
                        processes.stream()
                                .map(one -> ProcessJson.of(one, at))
                                .collect(Collectors.joining(",")),
                        work.stream()
                                .limit(JOBS_MAX)
                                .map(ProcessJson::of)
                                .collect(Collectors.joining(",")));
        return JobRows.escaped(line);
    }

    private static String number(OptionalDouble rate) {
        return rate.isEmpty() ? "null" : String.format(Locale.ROOT, "%.1f", rate.getAsDouble());
    }
}
