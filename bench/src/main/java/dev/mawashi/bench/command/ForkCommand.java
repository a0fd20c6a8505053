package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Race;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench fork`.
@Command(
        name = "fork",
        description = {
            "No-op jobs with a process for each: what forking itself costs and what a server adds."
                    + " The bound is a bare loop of fork, exit! and wait, as many at once, in the"
                    + " same Ruby with the same app loaded, without a queue."
        },
        footer = {
            "  mawashi bench fork --jobs 5000 --runs 5",
            "  mawashi bench fork --rows fork-4,loop-4,resque-4",
        })
final class ForkCommand implements Callable<Figures> {
    /// Jobs a second of Resque 3.0 on MRI 3.3.8, two workers, measured once on two cores.
    private static final double RESQUE_RECORDED = 228;

    private static final Figures.View VIEW =
            RaceView.RATES.with(RaceView.OWN, new Column("x 228/s", "times_resque_recorded", 2));

    @Mixin private final Bench bench = new Bench();
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs a run (5000).")
    private int jobs = 5_000;

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        List<Row> chosen = rows.rows(bench, "fork-%d,loop-%d,resque-%d");
        return bench.run(ground -> {
            Contestants all = Contestants.of(ground, "noop.rb");
            List<Contestant> entered = bench.enter(all, chosen, _ -> jobs);
            bench.note(
                    "x 228/s: of a figure of Resque 3.0, MRI 3.3.8, 2 workers on 2 cores, recorded"
                            + " once and not in this run");
            Race race = new Race(ground, Payloads.NOOP);
            List<Result> results =
                    bench.takeTurns(entered, one -> withTimes(race.run(one)), VIEW.columns());
            return bench.figures(ground, results)
                    .race(VIEW, RaceView.withFastest(results, ForkCommand::isPeer));
        });
    }

    private static Run withTimes(Run run) {
        double times = run.of("jobs_per_second_working") / RESQUE_RECORDED;
        return run.with("times_resque_recorded", times);
    }

    private static boolean isPeer(Result one) {
        return one.name().startsWith("loop-");
    }
}
