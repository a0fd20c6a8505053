package dev.mawashi.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi bench io",
            "  mawashi bench io --rows jruby-1000,jruby-5000,mri-4x250 --seconds 20",
        })
final class IoCommand implements Callable<Integer> {
    private static final int SECONDS_MAX = 3_600;

    /// What one slot can do of jobs of 100 ms.
    private static final int JOBS_A_SECOND = 10;

    @Mixin private final Bench bench;
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long a run takes with every slot always busy (10).")
    private int seconds = 10;

    IoCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        bench.within("--seconds", seconds, SECONDS_MAX);
        Map<Row, Integer> jobsByRow = new LinkedHashMap<>();
        for (Row row : rows.rows(bench, defaults())) {
            jobsByRow.put(row, row.slots() * JOBS_A_SECOND * seconds);
        }
        return bench.run(ground -> {
            List<Contestant> all = bench.enter(new Contestants(ground, "io.rb"), jobsByRow);
            Column<Figures> ideal =
                    new Column<>("of ideal", "of_ideal", 3, run -> seconds / run.workSeconds());
            return RaceTable.ofRates(new RaceSetting(bench, ground, Payloads.SLEEP), List.of(ideal))
                    .run("io", all, one -> one.name().startsWith("sidekiq-1x"));
        });
    }

    private static List<String> defaults() {
        return List.of(
                "jruby-1000",
                "virtual-1000",
                "mri-4x250",
                "sidekiq-1x50",
                "sidekiq-1x250",
                "sidekiq-1x1000");
    }
}
