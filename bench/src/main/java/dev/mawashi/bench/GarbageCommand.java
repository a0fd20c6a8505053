package dev.mawashi.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench garbage`.
@Command(
        name = "garbage",
        description = {
            "What the server's JVM allocates for 10,000 no-op jobs: for the first ones, and for each"
                    + " of the following. Only rows of Mawashi; with mri it is the core alone."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  mawashi bench garbage", "  mawashi bench garbage --jobs 1000000"})
final class GarbageCommand implements Callable<Integer> {
    private static final int UNIT = 10_000;
    private static final double MEGABYTE = 1e6;

    private static final List<Column<Garbage>> COLUMNS =
            List.of(
                    new Column<>(
                            "10,000 jobs MB", "megabytes_per_10000_jobs", 1, Garbage::megabytes),
                    new Column<>("first MB", "megabytes_first_10000_jobs", 1, Garbage::first),
                    new Column<>("bytes/job", "bytes_per_job", 0, Garbage::bytesPerJob));

    @Mixin private final Bench bench;
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Jobs a run, after the first 10,000 (100000).")
    private int jobs = 100_000;

    /// What one run came to, for 10,000 jobs.
    ///
    /// @param first the first ones
    /// @param megabytes of the others, on an average
    private record Garbage(double first, double megabytes) {
        double bytesPerJob() {
            return megabytes * MEGABYTE / UNIT;
        }

        String summary() {
            return String.format(Locale.ROOT, "%.1f MB for 10,000 jobs", megabytes);
        }
    }

    GarbageCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        Map<Row, Integer> jobsByRow = new LinkedHashMap<>();
        for (Row row : rows.rows(bench, defaults())) {
            if (!row.kind().isOurs()) {
                throw bench.wrong("--rows: " + row + " has no JVM of Mawashi");
            }
            jobsByRow.put(row, jobs);
        }
        return bench.run(ground -> {
            List<Contestant> all = bench.enter(new Contestants(ground, "noop.rb"), jobsByRow);
            Map<Contestant, List<Garbage>> runs =
                    bench.takeTurns(all, one -> measure(ground, one), Garbage::summary);
            return new TableReport<>(
                    "garbage",
                    ground.redis().description(),
                    COLUMNS,
                    runs,
                    Optional.empty(),
                    View.bars(false, List.of("megabytes_first_10000_jobs")),
                    bench.notes());
        });
    }

    private static Garbage measure(Ground ground, Contestant contestant)
            throws InterruptedException {
        try (Stint stint = Stint.start(ground, contestant)) {
            Tally tally = new Tally(stint.place());
            run(ground, stint, tally, 1);
            try (Internals server = Internals.of(stint.server())) {
                long before = server.bytes();
                run(ground, stint, tally, UNIT);
                long between = server.bytes();
                run(ground, stint, tally, contestant.jobs());
                double after = server.bytes();
                stint.finish();
                return new Garbage(
                        (between - before) / MEGABYTE,
                        (after - between) / MEGABYTE * UNIT / contestant.jobs());
            }
        }
    }

    private static void run(Ground ground, Stint stint, Tally tally, int count)
            throws InterruptedException {
        long expected = tally.read() + count;
        ground.redis().enqueue(count, Payloads.NOOP, Intake.SIDEKIQ);
        stint.await(count + " jobs", () -> tally.read() >= expected);
    }

    private static List<String> defaults() {
        return List.of("mri-" + Machine.coresHere() + "x10", "jruby-10");
    }
}
