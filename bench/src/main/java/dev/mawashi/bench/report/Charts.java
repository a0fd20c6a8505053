package dev.mawashi.bench.report;

import dev.mawashi.bench.chart.Axis;
import dev.mawashi.bench.chart.Bar;
import dev.mawashi.bench.chart.Bars;
import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Cores;
import dev.mawashi.bench.chart.Curve;
import dev.mawashi.bench.chart.Curves;
import dev.mawashi.bench.chart.Hue;
import dev.mawashi.bench.rig.Course;
import dev.mawashi.bench.rig.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/// The kinds of chart that benchmarks have: bars with ranges, curves, percentiles, cores.
public final class Charts {
    public static final String WARM_UP =
            "Curves begin with the start of the processes: what is done in each "
                    + Course.CURVE_STEP_MS
                    + " ms, as jobs per second. Of several rows of one kind the fastest is shown.";

    public static final String PERCENTILES =
            "The curve shows how many of a hundred took at most so long; each line across is ten"
                    + " times the one below it.";

    private static final double STEP_SECONDS = Course.CURVE_STEP_MS / 1_000.0;
    private static final int STEPS_MIN = 3;
    private static final int POINTS_MAX = 300;

    private Charts() {}

    /// A bar for each result.
    public static Chart bars(String title, Column column, List<Result> results) {
        return bars(title, column, results, Optional.empty());
    }

    /// @param with the comparison that is printed beside the bars
    public static Chart bars(
            String title, Column column, List<Result> results, Optional<Multiples> with) {
        List<Bar> bars = new ArrayList<>();
        for (Result one : results) {
            String detail = with.map(other -> other.detail(one, 2)).orElse("");
            bars.add(one.bar(one.name(), detail, column.field()));
        }
        return new Bars(title, column.decimals(), bars);
    }

    /// Curves over one axis; the other one reaches as far as they do.
    public static Chart curves(String title, Axis across, String unit, List<Curve> curves) {
        return new Curves(title, across, Axis.linear(unit, most(curves, Curve.Point::y)), curves);
    }

    private static double most(List<Curve> curves, ToDoubleFunction<Curve.Point> side) {
        return curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(side)
                .max()
                .orElse(0);
    }

    /// How the rates of races grow, the fastest of each kind of server.
    ///
    /// @param limits rates that are shown as lines across, by name
    public static Chart warmUp(List<Result> results, Map<String, Double> limits) {
        Map<String, Result> fastest = new LinkedHashMap<>();
        Comparator<Result> order = Comparator.comparingDouble(one -> one.median("jobs_per_second"));
        for (Result one : results) {
            fastest.merge(
                    one.kind(), one, (old, other) -> order.compare(other, old) > 0 ? other : old);
        }
        List<Curve> curves = new ArrayList<>();
        fastest.values().forEach(one -> curves.add(warmUp(one)));
        double end = most(curves, Curve.Point::x);
        limits.forEach((name, rate) -> {
            List<Curve.Point> across =
                    List.of(new Curve.Point(0, rate), new Curve.Point(end, rate));
            curves.add(new Curve(name, Hue.GREY, true, across));
        });
        return curves("Jobs per second over time", Axis.linear("seconds", end), "jobs/s", curves);
    }

    /// The last job's step is not full, so it is left out where there are others.
    private static Curve warmUp(Result one) {
        Run run = one.middle("total_seconds");
        double start = run.of("start_seconds");
        List<Curve.Point> points = new ArrayList<>();
        points.add(new Curve.Point(0, 0));
        points.add(new Curve.Point(start, 0));
        List<Double> jobs = run.list("curve_jobs");
        int steps = jobs.size() > STEPS_MIN ? jobs.size() - 1 : jobs.size();
        for (int i = 0; i < steps; i++) {
            double time = start + (i + 0.5) * STEP_SECONDS;
            points.add(new Curve.Point(time, jobs.get(i) / STEP_SECONDS));
        }
        return new Curve(one.name(), one.hue(), false, points);
    }

    /// How busy the cores of the machine were during races.
    public static Part cores(List<Result> results) {
        double seconds =
                results.stream()
                        .mapToDouble(one -> one.middle("total_seconds").of("total_seconds"))
                        .max()
                        .orElse(0);
        Part part =
                Part.of("Cores")
                        .hinting(
                                "How busy each core of the machine was, Redis and all: from the"
                                        + " start of the processes to the last job. The dotted"
                                        + " line is the first job.");
        for (Result one : results) {
            Run run = one.middle("total_seconds");
            List<List<Double>> busy = run.lists("cores_busy");
            if (!busy.isEmpty()) {
                double start = run.of("start_seconds");
                List<Double> times = run.list("cores_seconds");
                part = part.with(new Cores(one.name(), one.hue(), seconds, start, times, busy));
            }
        }
        return part;
    }

    /// A curve of percentiles: for each time, the part of all that took at most so long.
    ///
    /// @param field of the runs with the times in ms
    public static Chart percentiles(String title, String field, List<Result> results) {
        List<Curve> curves = new ArrayList<>();
        for (Result one : results) {
            List<Double> sorted =
                    one.runs().stream().flatMap(run -> run.list(field).stream()).sorted().toList();
            curves.add(new Curve(one.name(), one.hue(), false, points(sorted)));
        }
        double most = most(curves, Curve.Point::y);
        double least = -most(curves, point -> -point.y());
        Axis across = Axis.percentiles("of all jobs");
        return new Curves(title, across, Axis.logarithmic("ms", least, most), curves);
    }

    /// All slow ones, and as many of the others as a reader can see.
    private static List<Curve.Point> points(List<Double> sorted) {
        List<Curve.Point> points = new ArrayList<>();
        int step = Math.max(1, sorted.size() / POINTS_MAX);
        int tail = sorted.size() - POINTS_MAX / 2;
        for (int i = 0; i < sorted.size(); i += i < tail ? step : 1) {
            points.add(new Curve.Point((i + 1.0) / (sorted.size() + 1), sorted.get(i)));
        }
        return points;
    }
}
