package dev.mawashi.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        footerHeading = "%nExamples:%n",
        footer = {"  mawashi bench boot --runs 10", "  mawashi bench boot --rows jruby-50,mri-4x5"})
final class BootCommand implements Callable<Integer> {
    private static final List<Column<Figures>> COLUMNS =
            List.of(
                    new Column<>("first job s", "first_job_seconds", 3, Figures::totalSeconds),
                    new Column<>("CPU s", "cpu_seconds", 2, run -> run.usage().cpuSeconds()),
                    RaceTable.megabytes(
                            "peak MB", "peak_megabytes", run -> run.usage().peakBytes()));

    @Mixin private final Bench bench;
    @Mixin private final RowsOption rows = new RowsOption();

    BootCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        Map<Row, Integer> jobsByRow = new LinkedHashMap<>();
        rows.rows(bench, defaults()).forEach(row -> jobsByRow.put(row, 1));
        return bench.run(ground -> {
            // The job tells of itself: the numbers that others add up are written some ms later.
            List<Contestant> all =
                    bench.enter(new Contestants(ground, "noop.rb"), jobsByRow).stream()
                            .map(one -> one.with(Contestants.EACH))
                            .toList();
            RaceSetting setting = new RaceSetting(bench, ground, Payloads.NOOP);
            return new RaceTable(
                            setting,
                            COLUMNS,
                            one ->
                                    new Comparison<>(
                                            one, Figures::totalSeconds, Figures::totalSeconds),
                            View.race(false, List.of("cpu_seconds", "peak_megabytes")))
                    .run("boot", all, one -> one.name().startsWith("sidekiq-"));
        });
    }

    private static List<String> defaults() {
        return List.of("mri-" + Machine.coresHere() + "x10", "jruby-10", "sidekiq-1x10");
    }
}
