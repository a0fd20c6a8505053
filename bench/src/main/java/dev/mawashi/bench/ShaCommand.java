package dev.mawashi.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi bench sha --jobs 15000 --runs 1   in a minute",
            "  mawashi bench sha --jobs 150000",
            "  mawashi bench sha --rows jruby-150,mri-2x10,sidekiq-2x5,sidekiq-2x10",
        })
final class ShaCommand implements Callable<Integer> {
    private static final int FORKED_SHARE = 10;

    @Mixin private final Bench bench;
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

    ShaCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        bench.within("--forked-jobs", forkedJobs(), Bench.JOBS_MAX);
        Map<Row, Integer> jobsByRow = new LinkedHashMap<>();
        for (Row row : rows.rows(bench, defaults())) {
            jobsByRow.put(row, row.kind().isForking() ? forkedJobs() : jobs);
        }
        return bench.run(ground -> {
            List<Contestant> all = bench.enter(new Contestants(ground, "sha.rb"), jobsByRow);
            return RaceTable.ofRates(new RaceSetting(bench, ground, Payloads.SHA), List.of())
                    .run("sha", all, ShaCommand::isPeer);
        });
    }

    /// With as many processes as cores.
    private static boolean isPeer(Contestant one) {
        Row row = Row.parse(one.name());
        return row.kind().isSidekiq() && row.processes() == Machine.coresHere();
    }

    private int forkedJobs() {
        return forkedJobs == null ? Math.max(1, jobs / FORKED_SHARE) : forkedJobs;
    }

    /// Sidekiq's best number of threads differs from machine to machine.
    private static List<String> defaults() {
        int cores = Machine.coresHere();
        return List.of(
                "jruby-4",
                "jruby-50",
                "jruby-150",
                "jruby-240",
                "mri-1x50",
                "mri-2x50",
                "mri-3x50",
                "mri-5x50",
                "fork-" + cores,
                "sidekiq-1x10",
                "sidekiq-" + cores + "x5",
                "sidekiq-" + cores + "x10",
                "sidekiq-" + cores + "x25",
                "sidekiq-" + cores + "x50",
                "sidekiq-yjit-" + cores + "x5",
                "sidekiq-jruby-1x10",
                "resque-" + cores);
    }
}
