package dev.mawashi.bench.command;

import dev.mawashi.bench.report.ChartPicture;
import dev.mawashi.bench.report.Charts;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.report.Wording;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Row;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench sha`.
@Command(
        name = "sha",
        description = {
            "Jobs that compute: SHA-256 objects are made for 20 numbers. The table of a well-known"
                    + " comparison of 2012: threads of JRuby, processes of MRI and forks, beside"
                    + " Sidekiq and Resque. Start and last job are timed as in noop."
        },
        footer = {
            "  mawashi bench sha --jobs 15000 --runs 1   in a minute",
            "  mawashi bench sha --jobs 150000",
            "  mawashi bench sha --rows jruby-150,mri-2x10,sidekiq-2x5,sidekiq-2x10",
        })
final class ShaCommand implements Callable<Figures> {
    private static final int FORKED_SHARE = 10;

    @Mixin private final Bench bench = new Bench();
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs a run (150000).")
    private int jobs = 150_000;

    @Option(
            names = "--forked-jobs",
            paramLabel = "N",
            description =
                    "Jobs a run where each has a process of its own (a tenth of --jobs: the rate is"
                            + " low and flat).")
    private @Nullable Integer forkedJobs;

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        int forked = bench.share("--forked-jobs", forkedJobs, jobs, FORKED_SHARE);
        // Sidekiq's best number of threads differs from machine to machine.
        List<Row> chosen =
                rows.rows(
                        bench,
                        "jruby-4,jruby-50,jruby-150,jruby-240,mri-1x50,mri-2x50,mri-3x50,mri-5x50,"
                                + "fork-%d,sidekiq-1x10,sidekiq-%dx5,sidekiq-%dx10,sidekiq-%dx25,"
                                + "sidekiq-%dx50,sidekiq-yjit-%dx5,sidekiq-jruby-1x10,resque-%d");
        return bench.run(ground -> {
            Contestants all = Contestants.of(ground, "sha.rb");
            List<Contestant> entered =
                    bench.enter(all, chosen, row -> row.kind().isForking() ? forked : jobs);
            List<Result> results = bench.race(ground, Payloads.SHA, entered, RaceView.RATES);
            return bench.figures(ground, results)
                    .race(RaceView.RATES, RaceView.withFastest(results, ShaCommand::isPeer))
                    .picture(
                            ChartPicture.of(
                                    "Jobs that compute",
                                    "How busy the cores were, Redis and all",
                                    Charts.cores(results).charts(),
                                    name -> name + rate(name, results)));
        });
    }

    private static String rate(String name, List<Result> results) {
        return results.stream()
                .filter(one -> one.name().equals(name))
                .map(one -> Wording.text(": %,.0f jobs/s", one.median("jobs_per_second")))
                .findFirst()
                .orElse("");
    }

    /// Whether it is Sidekiq with as many processes as the machine has cores.
    private static boolean isPeer(Result one) {
        Row row = Row.parse(one.name());
        return row.kind().isSidekiq() && row.processes() == Machine.coresHere();
    }
}
