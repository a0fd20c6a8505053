package dev.mawashi.bench.command;

import dev.mawashi.bench.chart.Axis;
import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Curve;
import dev.mawashi.bench.chart.Curves;
import dev.mawashi.bench.report.ChartPicture;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import dev.mawashi.bench.rig.Stint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench sharing`.
@Command(
        name = "sharing",
        description = {
            "Memory over time of Ruby processes that hold a million objects, while their jobs only"
                    + " read these, and while they write to them: forked children share the pages"
                    + " that nobody writes to."
        },
        footer = {"  mawashi bench sharing", "  mawashi bench sharing --rows mri-8x1,sidekiq-8x1"})
final class SharingCommand implements Callable<Figures> {
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final String PEAK = "pss_peak_megabytes";
    private static final String READING = ", reading";
    private static final String WRITING = ", writing";
    private static final Figures.View VIEW =
            new Figures.View(
                    List.of(
                            new Column("peak Ruby PSS MB", PEAK, 0),
                            new Column("before MB", "pss_before_megabytes", 0),
                            new Column("after MB", "pss_after_megabytes", 0)),
                    false,
                    List.of());

    @Mixin private final Bench bench = new Bench();
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs of 50 ms a run (240).")
    private int jobs = 240;

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        List<Row> chosen = rows.rows(bench, "mri-4x1,fork-4,sidekiq-4x1");
        return bench.run(ground -> {
            List<Contestant> entered = new ArrayList<>();
            Contestants all = Contestants.of(ground, "sharing.rb");
            for (Contestant one : bench.enter(all, chosen, _ -> jobs)) {
                entered.add(one.named(one.name() + READING));
                entered.add(one.named(one.name() + WRITING).with(Map.of("BENCH_WRITES", "1")));
            }
            List<Result> results =
                    bench.takeTurns(entered, one -> measure(ground, one), VIEW.columns());
            List<Chart> charts =
                    List.of(
                            chart("While jobs read", READING, results),
                            chart("While jobs write", WRITING, results));
            return bench.figures(ground, results)
                    .rows(
                            VIEW,
                            RaceView.withFirst(results, RaceView::isSidekiq, PEAK),
                            charts,
                            "Both charts have the same axes. Time begins with the first of the"
                                    + " jobs, when all processes have loaded the app.")
                    .picture(
                            ChartPicture.of(
                                    "Processes that hold a million objects",
                                    "Memory, of shared pages each one's part",
                                    charts,
                                    UnaryOperator.identity()));
        });
    }

    private static Run measure(Ground ground, Contestant contestant) throws InterruptedException {
        try (Stint stint = Stint.start(ground, contestant)) {
            stint.awaitServers();
            stint.work(1);
            List<Double> seconds = new ArrayList<>();
            List<Double> megabytes = new ArrayList<>();
            double began = ground.nanos();
            stint.enqueue(contestant.jobs());
            do {
                seconds.add((ground.nanos() - began) / 1e9);
                megabytes.add(stint.rubyMegabytes());
                stint.rest(LOOK);
            } while (!stint.isDone());
            double after = stint.rubyMegabytes();
            stint.finish();
            double peak = megabytes.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
            return Run.EMPTY
                    .with(PEAK, Math.max(peak, after))
                    .with("pss_before_megabytes", megabytes.getFirst())
                    .with("pss_after_megabytes", after)
                    .with("pss_seconds", seconds)
                    .with("pss_megabytes", megabytes);
        }
    }

    /// @param form of the results that it shows
    private static Chart chart(String title, String form, List<Result> results) {
        List<Curve> curves =
                results.stream()
                        .filter(one -> one.name().endsWith(form))
                        .map(SharingCommand::curve)
                        .toList();
        return new Curves(
                title,
                Axis.linear("seconds", most(results, "pss_seconds")),
                Axis.linear(
                        "MB of Ruby processes, shared pages once", most(results, "pss_megabytes")),
                curves);
    }

    private static double most(List<Result> results, String field) {
        return results.stream()
                .flatMap(one -> one.middle(PEAK).list(field).stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
    }

    private static Curve curve(Result one) {
        Run run = one.middle(PEAK);
        List<Double> seconds = run.list("pss_seconds");
        List<Double> megabytes = run.list("pss_megabytes");
        List<Curve.Point> points = new ArrayList<>();
        for (int i = 0; i < seconds.size(); i++) {
            points.add(new Curve.Point(seconds.get(i), megabytes.get(i)));
        }
        return new Curve(one.name().split(",", 2)[0], one.hue(), false, points);
    }
}
