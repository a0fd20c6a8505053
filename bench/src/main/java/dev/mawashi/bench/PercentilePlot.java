package dev.mawashi.bench;

import dev.mawashi.bench.chart.Axis;
import dev.mawashi.bench.chart.Curve;
import dev.mawashi.bench.chart.Curves;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How long something took, as the part of all that took at most so long.
final class PercentilePlot {
    /// How to read it.
    static final String HINT =
            "The curve tells how many of a hundred took at most so long; each line across is ten"
                    + " times the one below it.";

    private static final int POINTS_MAX = 300;

    private PercentilePlot() {}

    /// @param millis of each contestant, in any order
    static Curves of(String title, Map<Contestant, List<Double>> millis) {
        List<Curve> curves = new ArrayList<>();
        millis.forEach((one, values) ->
                curves.add(
                        new Curve(
                                one.name(),
                                Hues.of(one),
                                false,
                                points(values.stream().sorted().toList()))));
        double least =
                millis.values().stream()
                        .flatMap(List::stream)
                        .mapToDouble(Double::doubleValue)
                        .min()
                        .orElse(1);
        double most =
                millis.values().stream()
                        .flatMap(List::stream)
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElse(1);
        return new Curves(
                title,
                Axis.percentiles("of all jobs"),
                Axis.logarithmic("ms", least, most),
                curves);
    }

    /// All of the slow ones, and of the others as many as can be seen.
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
