package dev.mawashi.bench.command;

import dev.mawashi.bench.chart.Axis;
import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Curve;
import dev.mawashi.bench.chart.Curves;
import dev.mawashi.bench.report.ChartPicture;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Run;
import dev.mawashi.bench.rig.Stint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// `mawashi bench sharing`.
final class Sharing {
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final String PEAK = "pss_peak_megabytes";
    private static final String READING = ", reading";
    private static final String WRITING = ", writing";
    private static final Figures.View VIEW =
            Figures.View.lessIsBetter(
                    new Column("peak Ruby PSS MB", PEAK, 0),
                    new Column("before MB", "pss_before_megabytes", 0),
                    new Column("after MB", "pss_after_megabytes", 0));

    private Sharing() {}

    static Figures measure(Bench bench, Ground ground) throws InterruptedException {
        List<Contestant> entered = new ArrayList<>();
        for (Contestant one : bench.enter(Contestants.of(ground, "sharing.rb"))) {
            entered.add(one.named(one.name() + READING));
            Contestant writing = one.named(one.name() + WRITING);
            entered.add(writing.with(Map.of("BENCH_WRITES", "1")));
        }
        List<Result> results = bench.takeTurns(entered, one -> watch(ground, one), VIEW.columns());
        return fill(bench.figures(results), results);
    }

    private static Run watch(Ground ground, Contestant contestant) throws InterruptedException {
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
            return Run.EMPTY
                    .with(PEAK, Math.max(Collections.max(megabytes), after))
                    .with("pss_before_megabytes", megabytes.getFirst())
                    .with("pss_after_megabytes", after)
                    .with("pss_seconds", seconds)
                    .with("pss_megabytes", megabytes);
        }
    }

    private static Figures fill(Figures figures, List<Result> results) {
        Axis across = Axis.linear("seconds", most(results, "pss_seconds"));
        Axis up =
                Axis.linear(
                        "MB of Ruby processes, shared pages once", most(results, "pss_megabytes"));
        Chart reading = new Curves("While jobs read", across, up, curves(results, READING));
        Chart writing = new Curves("While jobs write", across, up, curves(results, WRITING));
        String picture =
                ChartPicture.of(
                        "Processes that hold a million objects",
                        "Memory, of shared pages each one's part",
                        List.of(reading, writing),
                        UnaryOperator.identity());
        return figures.rows(
                        VIEW,
                        Multiples.withFirst(results, Result::isSidekiq, PEAK),
                        "Both charts have the same axes. Time begins with the first of the jobs,"
                                + " when all processes have loaded the app.",
                        reading,
                        writing)
                .picture(picture);
    }

    private static double most(List<Result> results, String field) {
        return results.stream()
                .flatMap(one -> one.middle(PEAK).list(field).stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
    }

    /// @param form of the results that are shown
    private static List<Curve> curves(List<Result> results, String form) {
        return results.stream()
                .filter(one -> one.name().endsWith(form))
                .map(one -> {
                    Run run = one.middle(PEAK);
                    String name = one.name().split(",", 2)[0];
                    return one.curve(name, run.list("pss_seconds"), run.list("pss_megabytes"));
                })
                .toList();
    }
}
