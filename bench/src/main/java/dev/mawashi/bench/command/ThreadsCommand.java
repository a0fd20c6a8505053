package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.BenchFolder;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Internals;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import dev.mawashi.bench.rig.Stint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench threads`.
@Command(
        name = "threads",
        description = {
            "No-op jobs, then ten times and a hundred times as many: whether time grows faster"
                    + " than jobs, how many threads the server starts, and in how many threads or"
                    + " fibers they ran. One server of JRuby each, which has done one job before."
                    + " Beside them, the same where each job has a fiber or a thread of its own."
        },
        footer = {"  mawashi bench threads", "  mawashi bench threads --threads 100 --jobs 1000"})
final class ThreadsCommand implements Callable<Figures> {
    private static final int STEP = 10;
    private static final int STEPS = 3;
    private static final int JOBS_MAX = 500_000;
    private static final String COST = "us_per_job";

    /// What runs a job, by the words of fibers.rb and of the tables.
    private static final Map<String, String> FORMS =
            Map.of("slot", "", "fiber", ", a fiber each", "thread", ", a thread each");

    private static final Figures.View VIEW =
            new Figures.View(
                    List.of(
                            new Column("us/job", COST, 1),
                            new Column("work s", "work_seconds", 3),
                            new Column("threads started", "threads_started", 0),
                            new Column("ran in fibers", "fibers_that_ran_jobs", 0)),
                    false,
                    List.of("threads_started", "fibers_that_ran_jobs"));

    @Mixin private final Bench bench = new Bench();

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs of the smallest run (1000).")
    private int jobs = 1_000;

    @Option(names = "--threads", paramLabel = "N", description = "Jobs at once (100).")
    private int threads = 100;

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--jobs", jobs, JOBS_MAX);
        bench.within("--threads", threads, Row.THREADS_MAX);
        return bench.run(ground -> {
            Contestants all = Contestants.of(ground, "fibers.rb");
            List<Contestant> contestants = new ArrayList<>();
            int count = jobs;
            for (int i = 0; i < STEPS; i++) {
                Contestant one = all.of(new Row(Row.Kind.JRUBY, 1, threads), count);
                for (String form : List.of("slot", "fiber", "thread")) {
                    contestants.add(
                            one.named(count + " jobs" + FORMS.get(form))
                                    .with(Map.of("BENCH_FORM", form)));
                }
                count *= STEP;
            }
            List<Result> results =
                    bench.takeTurns(contestants, one -> measure(ground, one), VIEW.columns());
            return bench.figures(ground, results)
                    .rows(VIEW, Optional.of(new Multiples(results.getFirst(), COST, COST)));
        });
    }

    private static Run measure(Ground ground, Contestant contestant) throws InterruptedException {
        int jobs = contestant.jobs();
        try (Stint stint = Stint.start(ground, contestant)) {
            stint.work(1);
            double seconds;
            long started;
            try (Internals server = Internals.of(stint.server())) {
                long before = server.threadsStarted();
                double began = ground.nanos();
                stint.work(jobs);
                seconds = (stint.tally().moments().getLast().nanos() - began) / 1e9;
                started = server.threadsStarted() - before;
            }
            stint.finish();
            // The app writes it at its end.
            long fibers =
                    BenchFolder.lines(stint.place(), "*.fibers").stream()
                            .mapToLong(Long::parseLong)
                            .sum();
            return Run.EMPTY
                    .with(COST, seconds * 1e6 / jobs)
                    .with("work_seconds", seconds)
                    .with("threads_started", started)
                    .with("fibers_that_ran_jobs", fibers);
        }
    }
}
