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

/// `mawashi bench io`.
@Command(
        name = "io",
        description = {
            "Jobs that wait for 100 ms: how many slots a server can really have. Ideal is ten jobs"
                    + " a second and slot; each row gets as many jobs as that is, and tells what"
                    + " part of it it reached from the first job to the last."
        },
        footer = {
            "  mawashi bench io",
            "  mawashi bench io --rows jruby-1000,jruby-5000,mri-4x250 --seconds 20",
        })
final class IoCommand implements Callable<Figures> {
    private static final int SECONDS_MAX = 3_600;

    /// The jobs of 100 ms that one slot can run in a second.
    private static final int JOBS_A_SECOND = 10;

    private static final Figures.View VIEW =
            RaceView.RATES.with(RaceView.OWN, new Column("of ideal", "of_ideal", 3));

    @Mixin private final Bench bench = new Bench();
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long a run takes with every slot always busy (10).")
    private int seconds = 10;

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--seconds", seconds, SECONDS_MAX);
        List<Row> chosen =
                rows.rows(
                        bench,
                        "jruby-1000,virtual-1000,mri-4x250,sidekiq-1x50,sidekiq-1x250,"
                                + "sidekiq-1x1000");
        return bench.run(ground -> {
            Contestants all = Contestants.of(ground, "io.rb");
            List<Contestant> entered =
                    bench.enter(all, chosen, row -> row.slots() * JOBS_A_SECOND * seconds);
            Race race = new Race(ground, Payloads.SLEEP);
            List<Result> results =
                    bench.takeTurns(entered, one -> withIdeal(race.run(one)), VIEW.columns());
            return bench.figures(ground, results)
                    .race(VIEW, RaceView.withFastest(results, IoCommand::isPeer));
        });
    }

    private Run withIdeal(Run run) {
        return run.with("of_ideal", seconds / run.of("work_seconds"));
    }

    private static boolean isPeer(Result one) {
        return one.name().startsWith("sidekiq-1x");
    }
}
