package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Row;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench fanout`.
@Command(
        name = "fanout",
        description = {
            "Jobs that enqueue ten no-op jobs each, with perform_async: what a job costs that makes"
                    + " jobs. All of them count, eleven for each that was enqueued before the"
                    + " start. Start and last job are timed as in noop."
        },
        footer = {"  mawashi bench fanout", "  mawashi bench fanout --jobs 100000 --runs 5"})
final class FanoutCommand implements Callable<Figures> {
    private static final int PEER_SHARE = 10;

    @Mixin private final Bench bench = new Bench();
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Jobs a run that enqueue others (20000).")
    private int jobs = 20_000;

    @Option(
            names = "--peer-jobs",
            paramLabel = "N",
            description = "The same for Sidekiq (a tenth of --jobs: its rate is flat).")
    private @Nullable Integer peerJobs;

    @Override
    public Figures call() throws InterruptedException {
        int each = Payloads.FANOUT.jobs();
        int theirs = bench.share("--peer-jobs", peerJobs, jobs, PEER_SHARE);
        bench.within("--jobs", jobs, Bench.JOBS_MAX / each);
        bench.within("--peer-jobs", theirs, Bench.JOBS_MAX / each);
        List<Row> chosen = rows.rows(bench, "jruby-10,mri-%dx10,sidekiq-%dx5,sidekiq-%dx10");
        return bench.run(ground -> {
            Contestants all = Contestants.of(ground, "fanout.rb");
            List<Contestant> entered =
                    bench.enter(all, chosen, row -> (row.kind().isOurs() ? jobs : theirs) * each);
            List<Result> results = bench.race(ground, Payloads.FANOUT, entered, RaceView.RATES);
            return bench.figures(ground, results)
                    .race(RaceView.RATES, RaceView.withFastest(results, RaceView::isSidekiq));
        });
    }
}
