package dev.mawashi.bench;

import dev.mawashi.bench.chart.Axis;
import dev.mawashi.bench.chart.Bar;
import dev.mawashi.bench.chart.Bars;
import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Curve;
import dev.mawashi.bench.chart.Curves;
import dev.mawashi.bench.chart.Hue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What the page shows of the lines benchmark.
final class LinesSection {
    private static final double MEGABYTE = 1e6;

    private final LinesReport report;
    private final Contestant first;

    LinesSection(LinesReport report) {
        this.report = report;
        first = report.runs().keySet().iterator().next();
    }

    Section section() {
        List<Chart> bars = new ArrayList<>();
        List<Chart> curves = new ArrayList<>();
        List<Section.Table> tables = new ArrayList<>();
        List<Section.Headline> headlines = new ArrayList<>();
        for (LinesText text : report.texts()) {
            LinesText.Form form = text.form();
            bars.add(bars(form));
            curves.add(curves(text));
            tables.add(table(form));
            Contestant last = List.copyOf(report.runs().keySet()).getLast();
            headlines.add(
                    new Section.Headline(
                            "%.1f x".formatted(report.times(form, last, first)),
                            "%s at lines of a %s file, %s"
                                    .formatted(first.name(), form.word(), last.name())));
        }
        return new Section(
                headlines,
                report.runs().keySet().stream()
                        .map(one -> Section.Member.of(one, hue(one)))
                        .toList(),
                tables,
                List.of(
                        new Section.Plots("", "", bars),
                        new Section.Plots("Warm-up", "MB/s of each pass of the last run.", curves)),
                report.notes());
    }

    private static Hue hue(Contestant one) {
        return switch (one.name()) {
            case "mawashi" -> Hue.BLUE;
            case "jruby" -> Hue.PURPLE;
            default -> Hue.ORANGE;
        };
    }

    private Chart bars(LinesText.Form form) {
        List<Bar> bars = new ArrayList<>();
        report.runs()
                .forEach((one, runs) -> {
                    Spread warm = Spread.of(runs, run -> run.of(form).warm());
                    String detail =
                            one.equals(first)
                                    ? ""
                                    : "%.2f x %s"
                                            .formatted(
                                                    report.times(form, one, first), first.name());
                    bars.add(
                            new Bar(
                                    one.name(),
                                    detail,
                                    warm.median(),
                                    warm.min(),
                                    warm.max(),
                                    hue(one)));
                });
        return new Bars("%s file: MB/s, warm".formatted(capital(form)), 0, bars);
    }

    private static String capital(LinesText.Form form) {
        return form.word().substring(0, 1).toUpperCase(Locale.ROOT) + form.word().substring(1);
    }

    private Chart curves(LinesText text) {
        List<Curve> curves = new ArrayList<>();
        double top = 0;
        int passes = 1;
        for (Contestant one : report.runs().keySet()) {
            List<Double> seconds = report.runsOf(one).getLast().of(text.form()).seconds();
            List<Curve.Point> points = new ArrayList<>();
            for (int i = 0; i < seconds.size(); i++) {
                double rate = text.bytes() / MEGABYTE / seconds.get(i);
                points.add(new Curve.Point(i + 1.0, rate));
                top = Math.max(top, rate);
            }
            passes = Math.max(passes, seconds.size());
            curves.add(new Curve(one.name(), hue(one), false, points));
        }
        return new Curves(
                "%s file: MB/s by pass".formatted(capital(text.form())),
                Axis.linear("passes", passes),
                Axis.linear("MB/s", top),
                curves);
    }

    private Section.Table table(LinesText.Form form) {
        List<List<String>> rows = new ArrayList<>();
        report.runs()
                .forEach((one, runs) -> {
                    Spread warm = Spread.of(runs, run -> run.of(form).warm());
                    Spread pairs = Spread.of(report.pairs(form, one, first), Double::doubleValue);
                    rows.add(
                            List.of(
                                    one.name(),
                                    number(warm.median()),
                                    number(warm.min()) + " - " + number(warm.max()),
                                    number(Spread.of(runs, run -> run.of(form).first()).median()),
                                    number(Spread.of(runs, run -> run.of(form).whole()).median()),
                                    "%.2f (%.2f - %.2f)"
                                            .formatted(
                                                    report.times(form, one, first),
                                                    pairs.min(),
                                                    pairs.max())));
                });
        return new Section.Table(
                List.of(
                        form.word() + ", MB/s",
                        "warm",
                        "min - max",
                        "first pass",
                        "all passes",
                        "x " + first.name() + " (pairs)"),
                rows);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
