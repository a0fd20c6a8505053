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

/// `mawashi bench boot`.
@Command(
        name = "boot",
        description = {
            "From the command to the end of the first job, which waits in the queue: the same small"
                    + " app for all. Mawashi starts with the cache of an earlier start."
        },
        footer = {"  mawashi bench boot --runs 10", "  mawashi bench boot --rows jruby-50,mri-4x5"})
final class BootCommand implements Callable<Figures> {
    private static final String FIRST = "first_job_seconds";
    private static final Figures.View VIEW =
            new Figures.View(
                    List.of(new Column("first job s", FIRST, 3), RaceView.CPU, RaceView.PEAK),
                    false,
                    List.of("cpu_seconds", "peak_megabytes"));

    @Mixin private final Bench bench = new Bench();
    @Mixin private final RowsOption rows = new RowsOption();

    @Override
    public Figures call() throws InterruptedException {
        List<Row> chosen = rows.rows(bench, "mri-%dx10,jruby-10,sidekiq-1x10");
        return bench.run(ground -> {
            // The job writes its own line: the sums of the counting thread come some ms later.
            List<Contestant> entered =
                    bench.enter(Contestants.of(ground, "noop.rb"), chosen, _ -> 1).stream()
                            .map(one -> one.with(Contestants.EACH))
                            .toList();
            Race race = new Race(ground, Payloads.NOOP);
            List<Result> results =
                    bench.takeTurns(entered, one -> withFirst(race.run(one)), VIEW.columns());
            return bench.figures(ground, results)
                    .race(VIEW, RaceView.withFastest(results, RaceView::isSidekiq, FIRST, FIRST));
        });
    }

    private static Run withFirst(Run run) {
        return run.with(FIRST, run.of("total_seconds"));
    }
}
