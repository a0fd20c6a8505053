package dev.mawashi.bench.command;

import static dev.mawashi.bench.command.Views.LATE;
import static dev.mawashi.bench.command.Views.RATE;
import static dev.mawashi.bench.command.Views.WORKING;
import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.chart.Bar;
import dev.mawashi.bench.chart.Bars;
import dev.mawashi.bench.report.Charts;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.FigureTable;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Part;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.report.Spread;
import dev.mawashi.bench.rig.Course;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The figures of the noop benchmark: ours beside the fastest peer.
final class NoopFigures {
    static final List<Column> RATES =
            List.of(
                    new Column("start included", RATE, 0),
                    new Column("first job to last", WORKING, 0),
                    new Column("second half", LATE, 0));
    private static final Column CPU = new Column("CPU us/job", "cpu_us_per_job", 2);
    private static final List<Column> COSTS =
            List.of(
                    new Column("start s", "start_seconds", 2),
                    new Column("work s", "work_seconds", 2),
                    new Column("total s", "total_seconds", 2),
                    CPU,
                    new Column("Redis us/job", "redis_us_per_job", 2),
                    Views.PEAK,
                    Views.ALLOCATED);
    private static final int CURVE_SHOWN_MAX = 24;

    private final List<Result> results;
    private final List<Result> ours;
    private final List<Double> limit;
    private final Optional<Multiples> withPeer;

    /// @param limit moves per second of Redis alone, one per round; empty when that was not
    ///   measured
    NoopFigures(List<Result> results, List<Double> limit) {
        this.results = results;
        this.limit = limit;
        ours = results.stream().filter(Result::isOurs).toList();
        List<Result> peers = results.stream().filter(one -> !one.isOurs()).toList();
        withPeer =
                Views.withFastest(peers, Result::isSidekiq)
                        .or(() -> Views.withFastest(peers, _ -> true));
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
        Map<String, Multiples> comparisons =
                withPeer.map(with -> Map.of("times_peer", with)).orElse(Map.of());
        return figures.contestants(comparisons, Result::isOurs)
                .fact("redis_lmove_per_second", limit)
                .part(part())
                .part(Charts.cores(results))
                .picture(NoopPicture.of(compared(), rates(), redis));
    }

    private void headline(Figures figures, Result one) {
        String rate = RATES.getFirst().median(one);
        withPeer.ifPresentOrElse(
                with ->
                        figures.headline(
                                text("%.1f x", with.times(one)),
                                "%s at no-op jobs; %s: %s jobs/s, start included"
                                        .formatted(with.reference().name(), one.name(), rate)),
                () -> figures.headline(rate, "jobs/s, start included, " + one.name()));
    }

    private Part part() {
        Map<String, Double> limits = new LinkedHashMap<>();
        FigureTable rates = FigureTable.tall("jobs/s", RATES, results);
        if (!limit.isEmpty()) {
            String name = "redis-benchmark -P 100 LMOVE";
            Spread moves = Spread.of(limit);
            Column rate = RATES.getFirst();
            limits.put(name, moves.median());
            rates = rates.with(List.of(name, rate.text(moves.median()), rate.range(moves)));
        }
        Part part =
                Part.of("")
                        .with(rates)
                        .with(FigureTable.wide("medians", COSTS, results))
                        .with(new Bars("Jobs per second, more is better", 0, rates()))
                        .with(Charts.warmUp(results, limits))
                        .with(Charts.bars("CPU µs per job, less is better", CPU, results))
                        .with(Charts.bars("Peak MB, less is better", Views.PEAK, results))
                        .hinting(Charts.WARM_UP);
        for (Result one : ours) {
            part = part.saying(curve(one));
        }
        return withPeer.isPresent() ? comparing(part, withPeer.get()) : part;
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
        return "thousand jobs of %s per %s ms from the first on: %s%s"
                .formatted(one.name(), Course.CURVE_STEP_MS, steps, more);
    }

    private Part comparing(Part part, Multiples with) {
        Result peer = with.reference();
        Part said = part;
        for (Result one : ours) {
            Spread pairs = Spread.of(with.pairs(one));
            said =
                    said.saying(
                            text(
                                    "%s, start included, is %.1f x %s without its start (pairs %.1f - %.1f)",
                                    one.name(),
                                    with.times(one),
                                    peer.name(),
                                    pairs.min(),
                                    pairs.max()));
        }
        int jobs = ours.getFirst().contestant().jobs();
        double seconds = peer.median("start_seconds") + jobs / peer.median(WORKING);
        return peer.contestant().jobs() >= jobs
                ? said
                : said.saying(
                        text(
                                "%s gets fewer jobs because its rate is flat; all of them would take it %.0f s",
                                peer.name(), seconds));
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
            bars.add(one.bar(one.name() + ", start included", detail, RATE));
        }
        withPeer.ifPresent(with -> {
            String label = with.reference().name() + ", without its start";
            bars.add(with.reference().bar(label, "", with.theirs()));
        });
        return bars;
    }
}
