package dev.mawashi.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench backlog`.
@Command(
        name = "backlog",
        description = {
            "The same number of no-op jobs taken from a queue that holds just those, and from one"
                    + " that holds millions."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  mawashi bench backlog", "  mawashi bench backlog --row mri-2x10 --runs 5"})
final class BacklogCommand implements Callable<Integer> {
    private static final List<Column<Figures>> COLUMNS =
            List.of(
                    new Column<>("jobs/s at work", "jobs_per_second_working", 0, Figures::workRate),
                    new Column<>("2nd half", "jobs_per_second_second_half", 0, Figures::lateRate),
                    new Column<>("start s", "start_seconds", 2, Figures::startSeconds),
                    new Column<>("CPU us/job", "cpu_us_per_job", 1, Figures::cpuMicrosPerJob),
                    RaceTable.allocated());

    @Mixin private final Bench bench;

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs a run (100000).")
    private int jobs = 100_000;

    @Option(names = "--backlog", paramLabel = "N", description = "The long queue (5000000).")
    private int backlog = 5_000_000;

    @Option(names = "--row", paramLabel = "ROW", description = "Who runs them (jruby-10).")
    private String word = "jruby-10";

    BacklogCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        bench.within("--backlog", backlog, Bench.JOBS_MAX);
        if (backlog <= jobs) {
            throw bench.wrong("--backlog " + backlog + " must be larger than --jobs " + jobs);
        }
        Map<Row, Integer> jobsByRow = Map.of(bench.row(word), jobs);
        return bench.run(ground -> {
            List<Contestant> found = bench.enter(new Contestants(ground, "noop.rb"), jobsByRow);
            if (found.isEmpty()) {
                throw new BenchFailure(word + " is not on this machine");
            }
            Contestant small = found.getFirst().named("short queue");
            Contestant large = found.getFirst().named("long queue");
            Race race = new Race(ground, Payloads.NOOP);
            Map<Contestant, List<Figures>> runs =
                    bench.takeTurns(
                            List.of(small, large),
                            one -> race.run(one, one.equals(large) ? backlog : jobs),
                            Figures::summary);
            bench.note("the long queue holds %,d jobs".formatted(backlog));
            return new TableReport<>(
                    "backlog",
                    ground.redis().description(),
                    COLUMNS,
                    runs,
                    Optional.of(new Comparison<>(small, Figures::workRate, Figures::workRate)),
                    View.race(true, List.of("cpu_us_per_job")),
                    bench.notes());
        });
    }
}
