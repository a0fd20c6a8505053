package dev.mawashi.bench;

import dev.mawashi.bench.chart.Axis;
import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Cores;
import dev.mawashi.bench.chart.Curve;
import dev.mawashi.bench.chart.Curves;
import dev.mawashi.bench.chart.Hue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The charts of a race over time, each of the run in the middle.
final class RacePlots {
    private static final double STEP_SECONDS = Figures.CURVE_STEP_MS / 1_000.0;
    private static final int STEPS_MIN = 3;

    /// How to read the curves.
    static final String WARM_UP =
            "Curves begin with the start of the processes: what is done in each "
                    + Figures.CURVE_STEP_MS
                    + " ms, as jobs a second. Of several rows of one kind the fastest is shown.";

    private final Map<Contestant, List<Figures>> runs;

    private RacePlots(Map<Contestant, List<Figures>> runs) {
        this.runs = runs;
    }

    /// How the rates grow, of each kind of server the fastest.
    ///
    /// @param limits rates that are shown as lines across, by name
    static Chart warmUp(Map<Contestant, List<Figures>> runs, Map<String, Double> limits) {
        return new RacePlots(runs).warmUp(limits);
    }

    static Section.Plots cores(Map<Contestant, List<Figures>> runs) {
        return new Section.Plots(
                "Cores",
                "How busy each core of the machine was, Redis and all: from the start of the"
                        + " processes to the last job. The dotted line is the first job.",
                new RacePlots(runs).cores());
    }

    private Chart warmUp(Map<String, Double> limits) {
        List<Curve> curves = new ArrayList<>();
        for (Contestant one : fastest()) {
            curves.add(new Curve(one.name(), Hues.of(one), false, points(middle(one))));
        }
        double end = last(curves, true);
        limits.forEach((name, rate) -> {
            List<Curve.Point> across =
                    List.of(new Curve.Point(0, rate), new Curve.Point(end, rate));
            curves.add(new Curve(name, Hue.GREY, true, across));
        });
        return new Curves(
                "Jobs a second over time",
                Axis.linear("seconds", end),
                Axis.linear("jobs/s", last(curves, false)),
                curves);
    }

    private static double last(List<Curve> curves, boolean isAcross) {
        return curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(point -> isAcross ? point.x() : point.y())
                .max()
                .orElse(0);
    }

    /// One of each kind of server.
    private List<Contestant> fastest() {
        Map<String, Contestant> fastest = new LinkedHashMap<>();
        for (Contestant one : runs.keySet()) {
            fastest.merge(
                    Hues.word(one.name()),
                    one,
                    (old, other) -> rate(other) > rate(old) ? other : old);
        }
        return List.copyOf(fastest.values());
    }

    private double rate(Contestant one) {
        return Spread.of(runsOf(one), Figures::totalRate).median();
    }

    /// The step that the last job is in is not over, so it is left out where there are others.
    private static List<Curve.Point> points(Figures run) {
        List<Curve.Point> points = new ArrayList<>();
        points.add(new Curve.Point(0, 0));
        points.add(new Curve.Point(run.startSeconds(), 0));
        List<Long> curve = run.curve();
        int steps = curve.size() > STEPS_MIN ? curve.size() - 1 : curve.size();
        for (int i = 0; i < steps; i++) {
            double time = run.startSeconds() + (i + 0.5) * STEP_SECONDS;
            points.add(new Curve.Point(time, curve.get(i) / STEP_SECONDS));
        }
        return points;
    }

    private List<Chart> cores() {
        double seconds =
                runs.keySet().stream()
                        .mapToDouble(one -> middle(one).totalSeconds())
                        .max()
                        .orElse(0);
        List<Chart> charts = new ArrayList<>();
        for (Contestant one : runs.keySet()) {
            Figures run = middle(one);
            CoreLoad load = run.usage().cores();
            if (!load.busy().isEmpty()) {
                charts.add(
                        new Cores(
                                one.name(),
                                Hues.of(one),
                                seconds,
                                run.startSeconds(),
                                load.seconds(),
                                load.busy()));
            }
        }
        return charts;
    }

    private List<Figures> runsOf(Contestant one) {
        return runs.getOrDefault(one, List.of());
    }

    /// The run in the middle by its time.
    private Figures middle(Contestant one) {
        List<Figures> sorted =
                runsOf(one).stream()
                        .sorted(Comparator.comparingDouble(Figures::totalSeconds))
                        .toList();
        return sorted.get((sorted.size() - 1) / 2);
    }
}
