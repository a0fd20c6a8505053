package dev.mawashi.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        footerHeading = "%nExamples:%n",
        footer = {"  mawashi bench fanout", "  mawashi bench fanout --jobs 100000 --runs 5"})
final class FanoutCommand implements Callable<Integer> {
    private static final int PEER_SHARE = 10;

    @Mixin private final Bench bench;
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

    FanoutCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        int most = Bench.JOBS_MAX / Payloads.FANOUT.jobs();
        bench.within("--jobs", jobs, most);
        int theirs = peerJobs == null ? Math.max(1, jobs / PEER_SHARE) : peerJobs;
        bench.within("--peer-jobs", theirs, most);
        Map<Row, Integer> jobsByRow = new LinkedHashMap<>();
        for (Row row : rows.rows(bench, defaults())) {
            int parents = row.kind().isOurs() ? jobs : theirs;
            jobsByRow.put(row, parents * Payloads.FANOUT.jobs());
        }
        return bench.run(ground -> {
            List<Contestant> all = bench.enter(new Contestants(ground, "fanout.rb"), jobsByRow);
            return RaceTable.ofRates(new RaceSetting(bench, ground, Payloads.FANOUT), List.of())
                    .run("fanout", all, one -> one.name().startsWith("sidekiq-"));
        });
    }

    private static List<String> defaults() {
        int cores = Machine.coresHere();
        return List.of(
                "jruby-10",
                "mri-" + cores + "x10",
                "sidekiq-" + cores + "x5",
                "sidekiq-" + cores + "x10");
    }
}
