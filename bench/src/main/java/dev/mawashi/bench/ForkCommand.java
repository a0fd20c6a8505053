package dev.mawashi.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi bench fork --jobs 5000 --runs 5",
            "  mawashi bench fork --rows fork-4,loop-4,resque-4",
        })
final class ForkCommand implements Callable<Integer> {
    /// Jobs a second of Resque 3.0 on MRI 3.3.8, two workers, measured once on two cores.
    private static final double RESQUE_RECORDED = 228;

    @Mixin private final Bench bench;
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs a run (5000).")
    private int jobs = 5_000;

    ForkCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        Map<Row, Integer> jobsByRow = new LinkedHashMap<>();
        rows.rows(bench, defaults()).forEach(row -> jobsByRow.put(row, jobs));
        return bench.run(ground -> {
            List<Contestant> all = bench.enter(new Contestants(ground, "noop.rb"), jobsByRow);
            bench.note(
                    "x 228/s: of a figure of Resque 3.0, MRI 3.3.8, 2 workers on 2 cores, recorded"
                            + " once and not in this run");
            Column<Figures> recorded =
                    new Column<>(
                            "x 228/s",
                            "times_resque_recorded",
                            2,
                            run -> run.workRate() / RESQUE_RECORDED);
            return RaceTable.ofRates(
                            new RaceSetting(bench, ground, Payloads.NOOP), List.of(recorded))
                    .run("fork", all, one -> one.name().startsWith("loop-"));
        });
    }

    private static List<String> defaults() {
        int cores = Machine.coresHere();
        return List.of("fork-" + cores, "loop-" + cores, "resque-" + cores);
    }
}
