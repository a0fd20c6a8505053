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

/// What the page shows of the noop benchmark.
final class NoopSection {
    private static final String LIMIT = "redis-benchmark LMOVE";
    private static final double MIB = 1 << 20;

    private final Results results;

    NoopSection(Results results) {
        this.results = results;
    }

    Section section() {
        List<Chart> charts = new ArrayList<>();
        charts.add(new Bars("Jobs a second, more is better", 0, List.copyOf(rates().values())));
        charts.add(RacePlots.warmUp(results.runs(), limit()));
        charts.add(bars("CPU \u00b5s a job, less is better", 1, Figures::cpuMicrosPerJob));
        charts.add(bars("Peak MB, less is better", 0, run -> run.usage().peakBytes() / MIB));
        return new Section(
                headlines(),
                results.runs().keySet().stream()
                        .map(one -> Section.Member.of(one, Hues.of(one)))
                        .toList(),
                List.of(new Section.Table(heads(), rows())),
                List.of(
                        new Section.Plots("", RacePlots.WARM_UP, charts),
                        RacePlots.cores(results.runs())),
                results.notes());
    }

    private Chart bars(String title, int decimals, ToDoubleFunction<Figures> figure) {
        List<Bar> bars = new ArrayList<>();
        results.runs().keySet().forEach(one -> bars.add(bar(one, one.name(), "", figure)));
        return new Bars(title, decimals, bars);
    }

    /// What is compared: ours with their start, the peer's without its start.
    Map<Contestant, Bar> rates() {
        Map<Contestant, Bar> bars = new LinkedHashMap<>();
        for (Contestant one : results.ours()) {
            String detail =
                    results.peer()
                            .map(peer ->
                                    String.format(
                                            Locale.ROOT,
                                            "%.1f x %s",
                                            results.ratioOfMedians(one, peer),
                                            peer.name()))
                            .orElse("");
            bars.put(one, bar(one, one.name() + ", start included", detail, Figures::totalRate));
        }
        results.peer()
                .ifPresent(peer ->
                        bars.put(
                                peer,
                                bar(
                                        peer,
                                        peer.name() + ", without its start",
                                        "",
                                        Figures::workRate)));
        return bars;
    }

    private Bar bar(Contestant one, String label, String detail, ToDoubleFunction<Figures> figure) {
        Spread spread = Spread.of(results.runsOf(one), figure);
        return new Bar(label, detail, spread.median(), spread.min(), spread.max(), Hues.of(one));
    }

    private Map<String, Double> limit() {
        return results.limit().isEmpty()
                ? Map.of()
                : Map.of(LIMIT, Spread.of(results.limit(), Double::doubleValue).median());
    }

    private List<Section.Headline> headlines() {
        List<Section.Headline> headlines = new ArrayList<>();
        for (Contestant one : results.ours()) {
            String rate = number(0, Spread.of(results.runsOf(one), Figures::totalRate).median());
            headlines.add(
                    results.peer()
                            .map(peer ->
                                    new Section.Headline(
                                            number(1, results.ratioOfMedians(one, peer)) + " x",
                                            "%s at no-op jobs; %s: %s jobs/s, start included"
                                                    .formatted(peer.name(), one.name(), rate)))
                            .orElseGet(() ->
                                    new Section.Headline(
                                            rate, "jobs/s, start included, " + one.name())));
        }
        return headlines;
    }

    private static List<String> heads() {
        return List.of(
                "medians",
                "start included, jobs/s",
                "min - max",
                "first job to last",
                "second half",
                "start s",
                "work s",
                "CPU us/job",
                "Redis us/job",
                "peak MB",
                "allocated MB");
    }

    private List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        for (Contestant one : results.runs().keySet()) {
            Spread total = Spread.of(results.runsOf(one), Figures::totalRate);
            rows.add(
                    List.of(
                            one.name(),
                            number(0, total.median()),
                            number(0, total.min()) + " - " + number(0, total.max()),
                            median(one, 0, Figures::workRate),
                            median(one, 0, Figures::lateRate),
                            median(one, 2, Figures::startSeconds),
                            median(one, 2, Figures::workSeconds),
                            median(one, 2, Figures::cpuMicrosPerJob),
                            median(one, 2, run -> run.usage().redisCpuSeconds() * 1e6 / run.jobs()),
                            median(one, 0, run -> run.usage().peakBytes() / MIB),
                            median(one, 0, run -> run.usage().allocatedBytes() / MIB)));
        }
        limit().forEach((name, rate) ->
                rows.add(List.of(name, "", "", number(0, rate), "", "", "", "", "", "", "")));
        return rows;
    }

    private String median(Contestant one, int decimals, ToDoubleFunction<Figures> figure) {
        return number(decimals, Spread.of(results.runsOf(one), figure).median());
    }

    private static String number(int decimals, double value) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
