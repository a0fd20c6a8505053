package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Internals;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import dev.mawashi.bench.rig.Stint;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench garbage`.
@Command(
        name = "garbage",
        description = {
            "What the server's JVM allocates for 10,000 no-op jobs: for the first ones, and for"
                    + " each of the following. With mri it is the core alone; Sidekiq allocates in a"
                    + " JVM where JRuby runs it."
        },
        footer = {"  mawashi bench garbage", "  mawashi bench garbage --jobs 1000000"})
final class GarbageCommand implements Callable<Figures> {
    private static final int UNIT = 10_000;
    private static final double MEGABYTE = 1e6;
    private static final Figures.View VIEW =
            new Figures.View(
                    List.of(
                            new Column("10,000 jobs MB", "megabytes_per_10000_jobs", 1),
                            new Column("first MB", "megabytes_first_10000_jobs", 1),
                            new Column("bytes/job", "bytes_per_job", 0)),
                    false,
                    List.of("megabytes_first_10000_jobs"));

    @Mixin private final Bench bench = new Bench();
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Jobs a run, after the first 10,000 (100000).")
    private int jobs = 100_000;

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        List<Row> chosen = rows.rows(bench, "mri-%dx10,jruby-10,sidekiq-jruby-1x10");
        for (Row row : chosen) {
            if (!row.kind().isOurs() && row.kind() != Row.Kind.SIDEKIQ_JRUBY) {
                throw bench.wrong("--rows: " + row + " has no JVM");
            }
        }
        return bench.run(ground -> {
            Contestants all = Contestants.of(ground, "noop.rb");
            List<Contestant> entered = bench.enter(all, chosen, _ -> jobs);
            List<Result> results =
                    bench.takeTurns(entered, one -> measure(ground, one), VIEW.columns());
            return bench.figures(ground, results).rows(VIEW, Optional.empty());
        });
    }

    private static Run measure(Ground ground, Contestant contestant) throws InterruptedException {
        try (Stint stint = Stint.start(ground, contestant)) {
            stint.work(1);
            try (Internals server = Internals.of(stint.server())) {
                long before = server.bytes();
                stint.work(UNIT);
                long between = server.bytes();
                stint.work(contestant.jobs());
                double each = (double) (server.bytes() - between) / contestant.jobs();
                stint.finish();
                return Run.EMPTY
                        .with("megabytes_per_10000_jobs", each * UNIT / MEGABYTE)
                        .with("megabytes_first_10000_jobs", (between - before) / MEGABYTE)
                        .with("bytes_per_job", each);
            }
        }
    }
}
