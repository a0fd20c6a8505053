package dev.mawashi.bench;

import dev.mawashi.bench.chart.Bar;
import dev.mawashi.bench.chart.Bars;
import dev.mawashi.bench.chart.Chart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The bars of a table, and the figure that is worth being seen first.
final class TableBars<F> {
    private static final List<String> OTHERS =
            List.of("sidekiq", "sidekiq-yjit", "sidekiq-jruby", "resque", "loop", "short queue");

    private final TableReport<F> report;

    TableBars(TableReport<F> report) {
        this.report = report;
    }

    Section.Plots plots() {
        List<Chart> charts = new ArrayList<>();
        Column<F> first = report.columns().getFirst();
        charts.add(
                bars(
                        first,
                        title(first)
                                + (report.view().isMoreBetter()
                                        ? ", more is better"
                                        : ", less is better")));
        charts.addAll(report.view().beside().apply(report.runs()));
        for (Column<F> column : report.columns()) {
            if (report.view().drawn().contains(column.field())) {
                charts.add(bars(column, title(column)));
            }
        }
        return new Section.Plots("", report.view().hint(), charts);
    }

    private static <F> String title(Column<F> column) {
        String title = column.title().replace("us/job", "\u00b5s/job");
        String first = title.substring(0, 1);
        return first.matches("[a-z]") ? first.toUpperCase(Locale.ROOT) + title.substring(1) : title;
    }

    private Chart bars(Column<F> column, String title) {
        List<Bar> bars = new ArrayList<>();
        report.runs()
                .forEach((one, figures) -> {
                    Spread spread = Spread.of(figures, column.figure());
                    String detail = column.equals(report.columns().getFirst()) ? times(one) : "";
                    bars.add(
                            new Bar(
                                    one.name(),
                                    detail,
                                    spread.median(),
                                    spread.min(),
                                    spread.max(),
                                    Hues.of(one)));
                });
        return new Bars(title, column.decimals(), bars);
    }

    private String times(Contestant one) {
        return report.comparison()
                .filter(with -> !with.reference().equals(one))
                .map(with -> "%.2f x %s".formatted(times(with, one), with.reference().name()))
                .orElse("");
    }

    private boolean isReference(Contestant one) {
        return report.comparison().filter(with -> with.reference().equals(one)).isPresent();
    }

    private double times(Comparison<F> with, Contestant one) {
        return with.times(report.runsOf(one), report.runsOf(with.reference()));
    }

    /// Our best row: where more is better how it compares, otherwise the figure itself.
    Optional<Section.Headline> headline() {
        Column<F> first = report.columns().getFirst();
        Comparator<Contestant> order =
                Comparator.comparingDouble(
                        one -> Spread.of(report.runsOf(one), first.figure()).median());
        List<Contestant> ours =
                report.runs().keySet().stream()
                        .filter(one -> !OTHERS.contains(Hues.word(one.name())) && !isReference(one))
                        .sorted(report.view().isMoreBetter() ? order.reversed() : order)
                        .toList();
        if (ours.isEmpty()) {
            return Optional.empty();
        }
        Contestant best = ours.getFirst();
        String figure = first.median(report.runsOf(best));
        Optional<Comparison<F>> other = report.comparison();
        if (report.view().isMoreBetter() && other.isPresent()) {
            String against =
                    "%s in %s; %s: %s"
                            .formatted(
                                    other.get().reference().name(),
                                    first.title(),
                                    best.name(),
                                    figure);
            return Optional.of(
                    new Section.Headline("%.1f x".formatted(times(other.get(), best)), against));
        }
        String beside =
                other.map(with ->
                                "; %s: %s"
                                        .formatted(
                                                with.reference().name(),
                                                first.median(report.runsOf(with.reference()))))
                        .orElse("");
        // Titles end in their unit.
        int unit = first.title().lastIndexOf(' ') + 1;
        String what = first.title().substring(0, unit).strip();
        return Optional.of(
                new Section.Headline(
                        figure + " " + first.title().substring(unit),
                        (what.isEmpty() ? "" : what + ", ") + best.name() + beside));
    }
}
