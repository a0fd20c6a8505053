package dev.mawashi.bench;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
        },
        footerHeading = "%nExamples:%n",
        footer = {"  mawashi bench threads", "  mawashi bench threads --threads 100 --jobs 1000"})
final class ThreadsCommand implements Callable<Integer> {
    private static final int STEP = 10;
    private static final int STEPS = 3;
    private static final int JOBS_MAX = 500_000;

    private static final List<Column<Work>> COLUMNS =
            List.of(
                    new Column<>("us/job", "us_per_job", 1, Work::microsPerJob),
                    new Column<>("work s", "work_seconds", 3, Work::seconds),
                    new Column<>("threads started", "threads_started", 0, Work::threads),
                    new Column<>("ran in fibers", "fibers_that_ran_jobs", 0, Work::fibers));

    @Mixin private final Bench bench;

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs of the smallest run (1000).")
    private int jobs = 1_000;

    @Option(names = "--threads", paramLabel = "N", description = "Jobs at once (100).")
    private int threads = 100;

    /// What one run came to.
    ///
    /// @param seconds from the push of the first job to the end of the last
    /// @param threads that the JVM started meanwhile, those that tell us so included
    /// @param fibers in which jobs ran: a thread is one
    private record Work(int jobs, double seconds, long threads, long fibers) {
        double microsPerJob() {
            return seconds * 1e6 / jobs;
        }

        String summary() {
            return String.format(
                    Locale.ROOT, "%,d jobs in %.3f s, %d threads started", jobs, seconds, threads);
        }
    }

    ThreadsCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        bench.within("--jobs", jobs, JOBS_MAX);
        bench.within("--threads", threads, Bench.THREADS_MAX);
        return bench.run(ground -> {
            Contestants all = new Contestants(ground, "fibers.rb");
            List<Contestant> contestants = new ArrayList<>();
            int count = jobs;
            for (int i = 0; i < STEPS; i++) {
                Row row = new Row(Row.Kind.JRUBY, 1, threads);
                contestants.add(all.of(row, count).named(count + " jobs"));
                count *= STEP;
            }
            Map<Contestant, List<Work>> runs =
                    bench.takeTurns(contestants, one -> measure(ground, one), Work::summary);
            return new TableReport<>(
                    "threads",
                    ground.redis().description(),
                    COLUMNS,
                    runs,
                    Optional.of(
                            new Comparison<>(
                                    contestants.getFirst(),
                                    Work::microsPerJob,
                                    Work::microsPerJob)),
                    View.bars(false, List.of("threads_started", "fibers_that_ran_jobs")),
                    bench.notes());
        });
    }

    private static Work measure(Ground ground, Contestant contestant) throws InterruptedException {
        try (Stint stint = Stint.start(ground, contestant)) {
            Tally tally = new Tally(stint.place());
            ground.redis().enqueue(1, Payloads.NOOP, Intake.SIDEKIQ);
            stint.await("the first job", () -> tally.read() == 1);
            long started;
            double seconds;
            try (Internals server = Internals.of(stint.server())) {
                long before = server.threadsStarted();
                Instant began = ground.clock().instant();
                ground.redis().enqueue(contestant.jobs(), Payloads.NOOP, Intake.SIDEKIQ);
                int expected = contestant.jobs() + 1;
                stint.await(contestant.jobs() + " jobs", () -> tally.read() >= expected);
                double beganNanos = began.getEpochSecond() * 1e9 + began.getNano();
                seconds = (tally.moments().getLast().nanos() - beganNanos) / 1e9;
                started = server.threadsStarted() - before;
            }
            stint.finish();
            return new Work(contestant.jobs(), seconds, started, fibers(stint));
        }
    }

    /// As the app has written it at its end.
    private static long fibers(Stint stint) {
        return BenchFolder.lines(stint.place(), "*.fibers").stream()
                .mapToLong(Long::parseLong)
                .sum();
    }
}
