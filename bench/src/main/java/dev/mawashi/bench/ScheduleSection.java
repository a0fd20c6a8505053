package dev.mawashi.bench;

import dev.mawashi.bench.chart.Bar;
import dev.mawashi.bench.chart.Bars;
import dev.mawashi.bench.chart.Chart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// What the page shows of the schedule benchmark.
final class ScheduleSection {
    private final ScheduleReport report;

    ScheduleSection(ScheduleReport report) {
        this.report = report;
    }

    Section section() {
        Map<Contestant, List<Double>> late = new LinkedHashMap<>();
        report.runs()
                .forEach((one, runs) ->
                        late.put(
                                one,
                                runs.stream().flatMap(run -> run.lateMillis().stream()).toList()));
        return new Section(
                List.of(headline()),
                report.runs().keySet().stream()
                        .map(one -> Section.Member.of(one, Hues.of(one)))
                        .toList(),
                List.of(table()),
                List.of(
                        new Section.Plots(
                                "",
                                PercentilePlot.HINT,
                                List.of(PercentilePlot.of("How late due jobs begin", late))),
                        new Section.Plots(
                                "Due at one instant",
                                String.format(
                                        Locale.ROOT,
                                        "%,d jobs, beside %,d that are due much later.",
                                        report.load().burst(),
                                        report.load().entries()),
                                List.of(
                                        bars(
                                                "Seconds until all have moved",
                                                2,
                                                ScheduleFigures::movedSeconds),
                                        bars(
                                                "Longest ms that Redis was held",
                                                1,
                                                ScheduleFigures::heldMillis)))),
                report.notes());
    }

    private Section.Headline headline() {
        Contestant ours = report.runs().keySet().iterator().next();
        List<ScheduleFigures> runs = runsOf(ours);
        return new Section.Headline(
                number(1, Spread.of(runs, run -> run.percentile(99)).median()) + " ms",
                "late at most, 99 of 100, " + ours.name());
    }

    private Chart bars(String title, int decimals, ToDoubleFunction<ScheduleFigures> figure) {
        List<Bar> bars = new ArrayList<>();
        report.runs()
                .forEach((one, runs) -> {
                    Spread spread = Spread.of(runs, figure);
                    bars.add(
                            new Bar(
                                    one.name(),
                                    "",
                                    spread.median(),
                                    spread.min(),
                                    spread.max(),
                                    Hues.of(one)));
                });
        return new Bars(title + ", less is better", decimals, bars);
    }

    private Section.Table table() {
        List<String> heads =
                List.of(
                        "medians",
                        "p50 ms late",
                        "p99",
                        "latest",
                        "s until moved",
                        "s until run",
                        "ms a script, p99",
                        "ms held at most",
                        "ms an idle script");
        List<List<String>> rows = new ArrayList<>();
        report.runs()
                .keySet()
                .forEach(one ->
                        rows.add(
                                List.of(
                                        one.name(),
                                        median(one, 1, run -> run.percentile(50)),
                                        median(one, 1, run -> run.percentile(99)),
                                        median(one, 1, ScheduleFigures::latest),
                                        median(one, 2, ScheduleFigures::movedSeconds),
                                        median(one, 2, ScheduleFigures::ranSeconds),
                                        median(one, 2, ScheduleFigures::scriptMillis),
                                        median(one, 2, ScheduleFigures::heldMillis),
                                        median(one, 2, ScheduleFigures::idleMillis))));
        return new Section.Table(heads, rows);
    }

    private List<ScheduleFigures> runsOf(Contestant one) {
        return report.runs().getOrDefault(one, List.of());
    }

    private String median(Contestant one, int decimals, ToDoubleFunction<ScheduleFigures> figure) {
        return number(decimals, Spread.of(runsOf(one), figure).median());
    }

    private static String number(int decimals, double value) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
