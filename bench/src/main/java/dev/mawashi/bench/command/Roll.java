package dev.mawashi.bench.command;

import dev.mawashi.bench.chart.Axis;
import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Curve;
import dev.mawashi.bench.chart.Hue;
import dev.mawashi.bench.report.ChartPicture;
import dev.mawashi.bench.report.Charts;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.FigureTable;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Part;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.RollRun;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// `mawashi bench roll`.
final class Roll {
    private static final int CHANGES = 4;
    private static final int SECONDS_MIN = 30;
    private static final int LONGEST_MIN = 5;

    private static final List<Column> COLUMNS =
            List.of(
                    new Column("jobs", "jobs", 0),
                    new Column("median jobs/s", "jobs_per_second", 0),
                    new Column("least jobs/s in 5 s, % of that", "least_percent", 0),
                    new Column("restarts", "restarts", 0),
                    new Column("refused", "restarts_refused", 0),
                    new Column("ended on old code beside new", "jobs_outlived", 0));

    private Roll() {}

    static Figures measure(Bench bench) throws InterruptedException {
        bench.within("--seconds", bench.number("--seconds"), SECONDS_MIN, Integer.MAX_VALUE);
        bench.within("--longest", bench.number("--longest"), LONGEST_MIN, Integer.MAX_VALUE);
        for (Row row : bench.rows()) {
            if (!row.kind().isOurs()) {
                throw bench.wrong("--rows: " + row + " takes no new code while it runs");
            }
        }
        return bench.run(Roll::measure);
    }

    private static Figures measure(Bench bench, Ground ground) throws InterruptedException {
        int servers = bench.number("--servers");
        List<Contestant> entered =
                bench
                        .enter(Contestants.of(ground, RollRun.app(ground)), bench.rows(), _ -> 0)
                        .stream()
                        .map(one -> one.times(servers))
                        .toList();
        List<Result> results =
                bench.takeTurns(
                        entered,
                        one -> RollRun.take(ground, one, plan(bench, one.name())),
                        COLUMNS);
        List<Chart> charts = results.stream().map(Roll::chart).toList();
        String picture =
                ChartPicture.of(
                        "New code under load",
                        "%s servers, four releases, the third does not boot".formatted(servers),
                        charts,
                        UnaryOperator.identity());
        bench.keep(csv(results), picture);
        Part part =
                Part.of("")
                        .with(FigureTable.wide("runs", COLUMNS, results))
                        .hinting("A dashed line is a new release.");
        for (Chart chart : charts) {
            part = part.with(chart);
        }
        return bench.figures(results).contestants(Map.of()).picture(picture).part(part);
    }

    private static RollRun.Plan plan(Bench bench, String name) {
        int slots = Row.parse(name).slots() * bench.number("--servers");
        int longest = bench.number("--longest");
        return new RollRun.Plan(
                bench.number("--seconds"),
                CHANGES,
                slots * bench.number("--load") / 100.0 / RollRun.meanSeconds(longest),
                longest);
    }

    private static List<Double> times(Run run) {
        return IntStream.range(0, run.list("roll_rates").size())
                .mapToObj(i -> (i + 0.5) * RollRun.WINDOW)
                .toList();
    }

    private static Chart chart(Result result) {
        Run run = result.runs().getLast();
        List<Double> rates = run.list("roll_rates");
        double end = rates.size() * (double) RollRun.WINDOW;
        double most = rates.isEmpty() ? 0 : Collections.max(rates);
        List<Curve> curves = new ArrayList<>();
        curves.add(result.curve("jobs that ended", times(run), rates));
        int release = 1;
        for (double time : run.list("roll_restarts")) {
            release++;
            String label = "release " + release + (release == RollRun.BROKEN ? ", broken" : "");
            List<Curve.Point> line = List.of(new Curve.Point(time, 0), new Curve.Point(time, most));
            curves.add(new Curve(label, Hue.GREY, true, line));
        }
        return Charts.curves(result.name(), Axis.linear("seconds", end), "jobs/s", curves);
    }

    private static String csv(List<Result> results) {
        StringBuilder lines = new StringBuilder("row,run,seconds,jobs_per_second\n");
        for (Result result : results) {
            for (int run = 0; run < result.runs().size(); run++) {
                List<Double> rates = result.runs().get(run).list("roll_rates");
                List<Double> times = times(result.runs().get(run));
                for (int i = 0; i < rates.size(); i++) {
                    lines.append(
                            String.format(
                                    Locale.ROOT,
                                    "%s,%d,%.1f,%.1f%n",
                                    result.name(),
                                    run + 1,
                                    times.get(i),
                                    rates.get(i)));
                }
            }
        }
        return lines.toString();
    }
}
