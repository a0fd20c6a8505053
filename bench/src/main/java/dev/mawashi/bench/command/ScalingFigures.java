package dev.mawashi.bench.command;

import static dev.mawashi.bench.command.Views.RATE;
import static dev.mawashi.bench.report.Wording.capital;
import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.chart.Axis;
import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Curve;
import dev.mawashi.bench.chart.Hue;
import dev.mawashi.bench.report.Charts;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.FigureTable;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.JsonReport;
import dev.mawashi.bench.report.Part;
import dev.mawashi.bench.report.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// The figures of the scaling benchmark: for each series a table, curves, and its bound.
///
/// @param series of each the results by value, from the least value on
/// @param cores of the machine
record ScalingFigures(Map<Scale, Map<Integer, Result>> series, int cores) {
    static final List<Column> COLUMNS =
            List.of(
                    new Column("jobs/s", RATE, 0),
                    new Column("MB/s", "megabytes_per_second", 1),
                    new Column("server us/job", "server_us_per_job", 2),
                    new Column("Redis us/job", "redis_us_per_job", 2),
                    new Column("bytes/job", "allocated_bytes_per_job", 0),
                    new Column("server cores", "server_cores", 2),
                    new Column("Redis cores", "redis_cores", 2),
                    new Column("busiest thread", "busiest_thread_cores", 2));

    Figures fill(Figures figures) {
        List<Map<String, Object>> all = new ArrayList<>();
        double best = 0;
        for (Scale scale : series.keySet()) {
            all.add(fields(scale));
            best = Math.max(best, rate(best(scale)));
            figures.part(part(scale));
        }
        return figures.fact("series", all)
                .headline(text("%,.0f", best), "jobs/s, warm, at the fastest point");
    }

    private Map<String, Object> fields(Scale scale) {
        List<Map<String, Object>> points = new ArrayList<>();
        values(scale)
                .forEach((value, result) -> {
                    Map<String, Object> point = JsonReport.ordered("value", value);
                    point.putAll(JsonReport.fields(result));
                    points.add(point);
                });
        Map<String, Object> fields = JsonReport.ordered("name", scale.word(), "unit", scale.unit);
        fields.put("bound", capital(bound(scale)));
        fields.put("points", points);
        return fields;
    }

    private Map<Integer, Result> values(Scale scale) {
        return series.getOrDefault(scale, Map.of());
    }

    private List<Result> results(Scale scale) {
        return List.copyOf(values(scale).values());
    }

    private Result best(Scale scale) {
        return Collections.max(results(scale), Comparator.comparingDouble(ScalingFigures::rate));
    }

    private static double rate(Result one) {
        return one.median(RATE);
    }

    /// What bounds the series: at its fastest point, and at the end that is the slower one.
    String bound(Scale scale) {
        Result first = results(scale).getFirst();
        Result last = results(scale).getLast();
        Result end = rate(first) < rate(last) ? first : last;
        String sentence = at(best(scale));
        return (best(scale).equals(end) ? sentence : sentence + "; " + at(end)) + ".";
    }

    private String at(Result one) {
        String bound = Bound.of(one.middle(RATE), cores);
        return text("at %s, %,.0f jobs/s, %s", one.name(), rate(one), bound);
    }

    private Part part(Scale scale) {
        Part part =
                Part.of(capital(scale.unit))
                        .with(FigureTable.wide("medians", COLUMNS, results(scale)))
                        .with(curves(scale, "Jobs a second", "jobs/s", COLUMNS.subList(0, 1)));
        if (scale == Scale.PAYLOAD) {
            part = part.with(curves(scale, "MB a second", "MB/s", COLUMNS.subList(1, 2)));
        }
        return part.with(curves(scale, "CPU µs per job", "µs", COLUMNS.subList(2, 4)))
                .saying(capital(bound(scale)));
    }

    private Chart curves(Scale scale, String title, String unit, List<Column> columns) {
        List<Curve> curves = columns.stream().map(column -> curve(scale, column)).toList();
        List<Integer> values = List.copyOf(values(scale).keySet());
        double last = values.getLast();
        Axis across =
                scale.isLogarithmic()
                        ? Axis.logarithmic(scale.unit, values.getFirst(), last)
                        : Axis.linear(scale.unit, last);
        return Charts.curves(title, across, unit, curves);
    }

    private Curve curve(Scale scale, Column column) {
        List<Curve.Point> points = new ArrayList<>();
        values(scale)
                .forEach((value, result) ->
                        points.add(new Curve.Point(value, result.median(column.field()))));
        String label = column.title().replace(" us/job", "");
        Hue hue =
                switch (label) {
                    case "Redis" -> Hue.ORANGE;
                    case "MB/s" -> Hue.TEAL;
                    default -> Hue.BLUE;
                };
        return new Curve(label, hue, false, points);
    }
}
