package dev.mawashi.bench.command;

import dev.mawashi.bench.chart.Axis;
import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.report.ChartPicture;
import dev.mawashi.bench.report.Charts;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.FigureTable;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Part;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.BenchFailure;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import dev.mawashi.bench.rig.SoakRun;
import dev.mawashi.bench.rig.Trend;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/// `mawashi bench soak`.
final class Soak {
    /// Grows by design, until the oldest lapse.
    private static final String METRICS = "metric_keys";

    /// Restarts that a trend needs: the time up to the first one does not count.
    private static final int RESTARTS_MIN = 2;

    private static final double HOUR = 3_600;

    private static final List<Column> COLUMNS =
            List.of(new Column("jobs", "jobs", 0), new Column("restarts", "restarts", 0));

    private Soak() {}

    static Figures measure(Bench bench) throws InterruptedException {
        int seconds = bench.number("--seconds");
        int period = bench.number("--restart");
        if (seconds < (RESTARTS_MIN + 1) * period) {
            throw bench.wrong(
                    "--seconds %s must be %s times --restart %s at least"
                            .formatted(seconds, RESTARTS_MIN + 1, period));
        }
        for (Row row : bench.rows()) {
            if (!row.kind().isOurs()) {
                throw bench.wrong("--rows: " + row + " is not restarted here");
            }
        }
        return bench.run(Soak::measure);
    }

    private static Figures measure(Bench bench, Ground ground) throws InterruptedException {
        Map<String, String> variables = bench.has("--leak") ? Map.of("BENCH_LEAK", "1") : Map.of();
        List<Contestant> entered =
                bench.enter(Contestants.of(ground, "soak.rb"), bench.rows(), _ -> 0).stream()
                        .map(one -> one.with(variables))
                        .toList();
        List<Result> results =
                bench.takeTurns(
                        entered, one -> SoakRun.take(ground, one, plan(bench, one)), COLUMNS);
        List<Chart> charts = charts(results);
        String picture = picture(bench, charts);
        bench.keep(csv(results), picture);
        List<String> grown = new ArrayList<>();
        Figures figures = bench.figures(results).contestants(Map.of()).picture(picture);
        Part part = part(bench, figures, results, grown);
        for (Chart chart : charts) {
            part = part.with(chart);
        }
        figures.part(part);
        if (!grown.isEmpty()) {
            throw new BenchFailure("it grows: " + String.join("; ", grown));
        }
        return figures;
    }

    private static SoakRun.Plan plan(Bench bench, Contestant contestant) {
        Row row = Row.parse(contestant.name());
        boolean isRenewed = row.kind() == Row.Kind.MRI || row.kind() == Row.Kind.FORK;
        return new SoakRun.Plan(
                row.slots(),
                bench.number("--seconds") / bench.number("--restart"),
                bench.number("--restart"),
                bench.number("--interval"),
                isRenewed);
    }

    private static String csv(List<Result> results) {
        StringBuilder lines = new StringBuilder("row,run,seconds");
        SoakRun.WATCHED.keySet().forEach(field -> lines.append(',').append(field));
        lines.append('\n');
        for (Result result : results) {
            for (int run = 0; run < result.runs().size(); run++) {
                Run one = result.runs().get(run);
                for (int i = 0; i < one.list("soak_seconds").size(); i++) {
                    lines.append(result.name()).append(',').append(run + 1);
                    lines.append(',').append(text(one.list("soak_seconds").get(i)));
                    for (String field : SoakRun.WATCHED.keySet()) {
                        lines.append(',').append(text(one.list("soak_" + field).get(i)));
                    }
                    lines.append('\n');
                }
            }
        }
        return lines.toString();
    }

    /// @param grown gets a sentence for each figure that grows beyond the bound
    private static Part part(
            Bench bench, Figures figures, List<Result> results, List<String> grown) {
        FigureTable table =
                new FigureTable(
                        List.of("figure", "mean", "per hour", "error", "growth %", "error"),
                        List.of());
        for (Result result : results) {
            for (Map.Entry<String, String> one : SoakRun.WATCHED.entrySet()) {
                for (Trending trending : trends(result.runs().getLast(), one.getKey(), bench)) {
                    String name =
                            "%s, %s, %s".formatted(result.name(), one.getValue(), trending.of());
                    table = table.with(row(name, trending));
                    figures.fact(name, trending.json());
                    if (!one.getKey().equals(METRICS)
                            && trending.isAbove(bench.number("--growth"))) {
                        grown.add(name + " " + trending.text());
                    }
                }
            }
        }
        return Part.of("")
                .with(FigureTable.wide("runs", COLUMNS, results))
                .with(table)
                .hinting(
                        "What comes before the first restart does not count. Memory is PSS, so"
                                + " shared pages count once.");
    }

    private static String picture(Bench bench, List<Chart> charts) {
        return ChartPicture.of(
                "A server for a long time",
                "60 % of its slots busy, 1 % of the jobs failing, a restart each "
                        + bench.number("--restart")
                        + " s",
                charts,
                UnaryOperator.identity());
    }

    /// A slope, and the time over which it may grow.
    private record Trending(String of, Trend trend, double seconds) {
        boolean isAbove(int percent) {
            return trend.isAbove(percent, seconds);
        }

        Map<String, Double> json() {
            return Map.of(
                    "mean", trend.mean(),
                    "per_hour", trend.perSecond() * HOUR,
                    "per_hour_error", trend.error() * HOUR,
                    "growth_percent", trend.percent(seconds),
                    "growth_percent_error", trend.percentError(seconds));
        }

        String text() {
            return String.format(
                    Locale.ROOT,
                    "by %.1f %% of %.0f, error %.1f %%",
                    trend.percent(seconds),
                    trend.mean(),
                    trend.percentError(seconds));
        }
    }

    /// Of the time after the first restart.
    private static List<Trending> trends(Run run, String field, Bench bench) {
        int period = bench.number("--restart");
        List<Double> all = run.list("soak_seconds");
        List<Double> times = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i) >= period) {
                times.add(all.get(i));
                values.add(run.list("soak_" + field).get(i));
            }
        }
        double counted = bench.number("--seconds") - period;
        return List.of(
                new Trending("from period to period", Trend.across(times, values, period), counted),
                new Trending("within periods", Trend.within(times, values, period), period / 2.0));
    }

    private static List<String> row(String name, Trending one) {
        return List.of(
                name,
                text(one.trend().mean()),
                text(one.trend().perSecond() * HOUR),
                text(one.trend().error() * HOUR),
                text(one.trend().percent(one.seconds())),
                text(one.trend().percentError(one.seconds())));
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static List<Chart> charts(List<Result> results) {
        double end =
                results.stream()
                        .mapToDouble(one -> one.runs().getLast().list("soak_seconds").getLast())
                        .max()
                        .orElse(0);
        return SoakRun.WATCHED.entrySet().stream()
                .map(one ->
                        Charts.curves(
                                one.getValue(),
                                Axis.linear("seconds without restarts", end),
                                "",
                                results.stream()
                                        .map(result -> {
                                            Run run = result.runs().getLast();
                                            return result.curve(
                                                    result.name(),
                                                    run.list("soak_seconds"),
                                                    run.list("soak_" + one.getKey()));
                                        })
                                        .toList()))
                .toList();
    }
}
