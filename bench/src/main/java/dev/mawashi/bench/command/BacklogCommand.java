package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.BenchFailure;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Race;
import dev.mawashi.bench.rig.Row;
import java.util.List;
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
        footer = {"  mawashi bench backlog", "  mawashi bench backlog --row mri-2x10 --runs 5"})
final class BacklogCommand implements Callable<Figures> {
    private static final String RATE = "jobs_per_second_working";
    private static final Figures.View VIEW = RaceView.atWork("cpu_us_per_job");

    @Mixin private final Bench bench = new Bench();

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs a run (100000).")
    private int jobs = 100_000;

    @Option(names = "--backlog", paramLabel = "N", description = "The long queue (5000000).")
    private int backlog = 5_000_000;

    @Option(names = "--row", paramLabel = "ROW", description = "Who runs them (jruby-10).")
    private String word = "jruby-10";

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        bench.within("--backlog", backlog, Bench.JOBS_MAX);
        if (backlog <= jobs) {
            throw bench.wrong("--backlog " + backlog + " must be larger than --jobs " + jobs);
        }
        Row row = bench.row("--row", word);
        return bench.run(ground -> {
            Contestants all = Contestants.of(ground, "noop.rb");
            List<Contestant> found = bench.enter(all, List.of(row), _ -> jobs);
            if (found.isEmpty()) {
                throw new BenchFailure(word + " is not on this machine");
            }
            Contestant small = found.getFirst().named("short queue");
            Contestant large = found.getFirst().named("long queue");
            Race race = new Race(ground, Payloads.NOOP);
            List<Result> results =
                    bench.takeTurns(
                            List.of(small, large),
                            one -> race.run(one, one.equals(large) ? backlog : jobs),
                            VIEW.columns());
            bench.note("the long queue holds %,d jobs".formatted(backlog));
            return bench.figures(ground, results)
                    .race(VIEW, Optional.of(new Multiples(results.getFirst(), RATE, RATE)));
        });
    }
}
