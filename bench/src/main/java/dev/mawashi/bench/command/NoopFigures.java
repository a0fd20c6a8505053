package dev.mawashi.bench.command;

import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.chart.Bar;
import dev.mawashi.bench.chart.Bars;
import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.report.Charts;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.FigureTable;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.JsonReport;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Part;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.report.Spread;
import dev.mawashi.bench.rig.Course;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What the noop benchmark shows: ours beside the fastest peer.
final class NoopFigures {
    static final List<Column> RATES =
            List.of(
                    new Column("start included", "jobs_per_second", 0),
                    new Column("first job to last", "jobs_per_second_working", 0),
                    new Column("second half", "jobs_per_second_second_half", 0));

    private static final Column RATE = RATES.getFirst();
    private static final Column CPU = new Column("CPU us/job", "cpu_us_per_job", 2);
    private static final Column PEAK = new Column("peak MB", "peak_megabytes", 0);
    private static final List<Column> COSTS =
            List.of(
                    new Column("start s", "start_seconds", 2),
                    new Column("work s", "work_seconds", 2),
                    new Column("total s", "total_seconds", 2),
                    CPU,
                    new Column("Redis us/job", "redis_us_per_job", 2),
                    PEAK,
                    new Column("allocated MB", "allocated_megabytes", 0));
    private static final int CURVE_SHOWN_MAX = 24;

    private final List<Result> results;
    private final List<Result> ours;
    private final List<Double> limit;
    private final Optional<Multiples> withPeer;

    /// @param limit moves a second of Redis alone, one a round; empty when that was not measured
    NoopFigures(List<Result> results, List<Double> limit) {
        this.results = results;
        this.limit = limit;
        ours = results.stream().filter(Result::isOurs).toList();
        withPeer =
                results.stream()
                        .filter(one -> !one.isOurs())
                        .max(
                                Comparator.comparing(RaceView::isSidekiq)
                                        .thenComparingDouble(
                                                one -> one.median("jobs_per_second_working")))
                        .map(one -> new Multiples(one, RATE.field(), "jobs_per_second_working"));
    }

    /// Compares ours with the fastest Sidekiq, or with another peer where there is none. Our rate
    /// includes the start and the peer's does not, since the peer had fewer jobs to spread its
    /// start over.
    Optional<Multiples> withPeer() {
        return withPeer;
    }

    /// @param redis what the jobs were in
    Figures fill(Figures figures, String redis) {
        ours.forEach(one -> headline(figures, one));
        withPeer.ifPresent(with -> figures.fact("peer", with.reference().name()));
        return figures.fact("contestants", results.stream().map(this::contestant).toList())
                .fact("redis_lmove_per_second", limit)
                .part(part())
                .part(Charts.cores(results))
                .picture(NoopPicture.of(compared(), rates(), redis));
    }

    private void headline(Figures figures, Result one) {
        String rate = RATE.median(one);
        withPeer.ifPresentOrElse(
                with ->
                        figures.headline(
                                text("%.1f x", with.times(one)),
                                "%s at no-op jobs; %s: %s jobs/s, start included"
                                        .formatted(with.reference().name(), one.name(), rate)),
                () -> figures.headline(rate, "jobs/s, start included, " + one.name()));
    }

    private Map<String, Object> contestant(Result one) {
        Map<String, Object> fields = JsonReport.fields(one);
        withPeer.filter(_ -> one.isOurs())
                .ifPresent(with -> fields.putAll(with.fields("times_peer", one)));
        return fields;
    }

    private Part part() {
        Map<String, Double> limits = new LinkedHashMap<>();
        FigureTable rates = FigureTable.tall("jobs/s", RATES, results);
        if (!limit.isEmpty()) {
            String name = "redis-benchmark -P 100 LMOVE";
            Spread moves = Spread.of(limit);
            limits.put(name, moves.median());
            rates = rates.with(List.of(name, RATE.text(moves.median()), RATE.range(moves)));
        }
        Part part =
                Part.of("")
                        .with(rates)
                        .with(FigureTable.wide("medians", COSTS, results, Optional.empty()))
                        .with(new Bars("Jobs a second, more is better", 0, rates()))
                        .with(Charts.warmUp(results, limits))
                        .with(bars("CPU µs a job, less is better", CPU))
                        .with(bars("Peak MB, less is better", PEAK))
                        .hinting(Charts.WARM_UP);
        for (Result one : ours) {
            part = part.saying(curve(one));
        }
        for (Result one : withPeer.isPresent() ? ours : List.<Result>of()) {
            part = part.saying(ratio(one, withPeer.orElseThrow()));
        }
        return withPeer.map(with -> with.reference())
                .filter(peer -> peer.contestant().jobs() < jobs())
                .map(this::fewer)
                .map(part::saying)
                .orElse(part);
    }

    private Chart bars(String title, Column column) {
        return Charts.bars(title, column, results, Optional.empty());
    }

    private List<Result> compared() {
        List<Result> compared = new ArrayList<>(ours);
        withPeer.ifPresent(with -> compared.add(with.reference()));
        return compared;
    }

    /// What is compared: ours with their start, the peer's without its start.
    private List<Bar> rates() {
        List<Bar> bars = new ArrayList<>();
        for (Result one : ours) {
            String detail = withPeer.map(with -> with.detail(one, 1)).orElse("");
            bars.add(Charts.bar(one, one.name() + ", start included", detail, RATE.field()));
        }
        withPeer.ifPresent(with -> {
            String label = with.reference().name() + ", without its start";
            bars.add(Charts.bar(with.reference(), label, "", with.theirs()));
        });
        return bars;
    }

    private int jobs() {
        return ours.getFirst().contestant().jobs();
    }

    /// How ours warms up: the last run.
    private static String curve(Result one) {
        List<Double> curve = one.runs().getLast().list("curve_jobs");
        String steps =
                curve.stream()
                        .limit(CURVE_SHOWN_MAX)
                        .map(jobs -> text("%.1f", jobs / 1_000))
                        .collect(Collectors.joining(" "));
        String more = curve.size() > CURVE_SHOWN_MAX ? " ..." : "";
        return "thousand jobs of %s per %d ms from the first on: %s%s"
                .formatted(one.name(), Course.CURVE_STEP_MS, steps, more);
    }

    private static String ratio(Result one, Multiples with) {
        Spread pairs = Spread.of(with.pairs(one));
        return text(
                "%s, start included, is %.1f x %s without its start (pairs %.1f - %.1f)",
                one.name(), with.times(one), with.reference().name(), pairs.min(), pairs.max());
    }

    private String fewer(Result peer) {
        double seconds =
                peer.median("start_seconds") + jobs() / peer.median("jobs_per_second_working");
        return text(
                "%s gets fewer jobs because its rate is flat; all of them would take it %.0f s",
                peer.name(), seconds);
    }
}
