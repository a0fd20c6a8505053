package dev.mawashi.bench;

import dev.mawashi.bench.chart.Axis;
import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Curve;
import dev.mawashi.bench.chart.Curves;
import dev.mawashi.bench.chart.Hue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// What the page shows of the scaling benchmark.
final class ScalingSection {
    private final ScalingReport report;

    ScalingSection(ScalingReport report) {
        this.report = report;
    }

    Section section() {
        List<Section.Plots> plots = new ArrayList<>();
        for (Scale scale : report.scales()) {
            String bound = ScalingReport.capital(report.bound(scale));
            plots.add(new Section.Plots(ScalingReport.capital(scale.unit()), bound, charts(scale)));
        }
        return new Section(
                List.of(headline()),
                report.laps().keySet().stream()
                        .map(point -> Section.Member.of(point.contestant(), Hue.BLUE))
                        .toList(),
                List.of(table()),
                plots,
                report.notes());
    }

    private Section.Headline headline() {
        double best =
                report.laps().values().stream()
                        .mapToDouble(laps -> Spread.of(laps, Lap::rate).median())
                        .max()
                        .orElse(0);
        return new Section.Headline(
                String.format(Locale.ROOT, "%,.0f", best), "jobs/s, warm, at the fastest point");
    }

    private List<Chart> charts(Scale scale) {
        List<Chart> charts = new ArrayList<>();
        Curve rate = curve(scale, "jobs/s", Hue.BLUE, Lap::rate);
        charts.add(chart(scale, "Jobs a second", "jobs/s", List.of(rate)));
        if (scale == Scale.PAYLOAD) {
            Curve bytes = curve(scale, "MB/s", Hue.TEAL, lap -> lap.byteRate() / 1e6);
            charts.add(chart(scale, "MB a second", "MB/s", List.of(bytes)));
        }
        List<Curve> costs =
                List.of(
                        curve(scale, "server", Hue.BLUE, Lap::serverMicros),
                        curve(scale, "Redis", Hue.ORANGE, Lap::redisMicros));
        charts.add(chart(scale, "CPU \u00b5s a job", "\u00b5s", costs));
        return charts;
    }

    private Curve curve(Scale scale, String label, Hue hue, ToDoubleFunction<Lap> figure) {
        List<Curve.Point> points = new ArrayList<>();
        for (ScalePoint point : report.points(scale)) {
            double median = Spread.of(report.lapsOf(point), figure).median();
            points.add(new Curve.Point(point.value(), median));
        }
        return new Curve(label, hue, false, points);
    }

    private Chart chart(Scale scale, String title, String label, List<Curve> curves) {
        List<ScalePoint> points = report.points(scale);
        double last = points.getLast().value();
        Axis across =
                scale.isLogarithmic()
                        ? Axis.logarithmic(scale.unit(), points.getFirst().value(), last)
                        : Axis.linear(scale.unit(), last);
        double most =
                curves.stream()
                        .flatMap(curve -> curve.points().stream())
                        .mapToDouble(Curve.Point::y)
                        .max()
                        .orElse(0);
        return new Curves(title, across, Axis.linear(label, most), curves);
    }

    private Section.Table table() {
        List<String> heads = new ArrayList<>(List.of("medians"));
        heads.addAll(ScalingReport.heads());
        List<List<String>> rows = new ArrayList<>();
        for (ScalePoint point : report.laps().keySet()) {
            List<String> row = new ArrayList<>(List.of(point.contestant().name()));
            row.addAll(report.cells(point));
            rows.add(row);
        }
        return new Section.Table(heads, rows);
    }
}
