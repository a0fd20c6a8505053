package dev.mawashi.bench.command;

import static dev.mawashi.bench.report.Wording.capital;
import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.chart.Axis;
import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.report.ChartPicture;
import dev.mawashi.bench.report.Charts;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.FigureTable;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Part;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Run;
import dev.mawashi.bench.rig.WarmRace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Job servers that have run for long: `mawashi bench kernels`, and the figures of `app --warm`.
final class Warm {
    static final String LIMIT = "--warm";
    static final String RATE = "jobs_per_second_warm";
    private static final String COST = "cpu_us_per_job_warm";
    private static final String HINT =
            "Each point is the mean of %s s, of the run in the middle. The last %s s at most count."
                    .formatted(WarmRace.STEP_SECONDS, WarmRace.COUNTED_SECONDS);
    static final List<Column> COLUMNS =
            List.of(
                    new Column("jobs/s warm", RATE, 0),
                    new Column("CPU us/job warm", COST, 1),
                    new Column(
                            "first %s s".formatted(WarmRace.WINDOW_SECONDS),
                            "jobs_per_second_first",
                            0),
                    new Column("warm after s", "warm_after_seconds", 0),
                    new Column("flat 1/0", "is_flat", 0),
                    Views.PEAK,
                    Views.ALLOCATED);

    /// The jobs of `kernels`, by the names of its flag.
    private static final Map<String, Payloads> KERNELS = kernelsInOrder();

    private Warm() {}

    private static Map<String, Payloads> kernelsInOrder() {
        Map<String, Payloads> all = new LinkedHashMap<>();
        all.put("sha", Payloads.SHA);
        List.of("template", "json", "csv")
                .forEach(name ->
                        all.put(name, new Payloads(capital(name) + "Job", 1, Long::toString)));
        return all;
    }

    static Figures kernels(Bench bench) throws InterruptedException {
        List<String> given = bench.words("--kernels");
        for (String name : given) {
            if (!KERNELS.containsKey(name)) {
                throw bench.wrong(
                        "--kernels: "
                                + name
                                + " is none of "
                                + String.join(", ", KERNELS.keySet()));
            }
        }
        List<String> names = given.isEmpty() ? List.copyOf(KERNELS.keySet()) : given;
        return bench.run((_, ground) -> kernels(bench, ground, names));
    }

    private static Figures kernels(Bench bench, Ground ground, List<String> names)
            throws InterruptedException {
        List<Contestant> entered = new ArrayList<>();
        List<Contestant> rows =
                bench.enter(Contestants.of(ground, "kernels.rb"), bench.rows(), _ -> 0);
        names.forEach(
                name -> rows.forEach(one -> entered.add(one.named(one.name() + ", " + name))));
        int limit = bench.number(LIMIT);
        List<Result> results =
                bench.takeTurns(
                        entered,
                        one -> {
                            Payloads jobs = kernel(one.name().split(", ", 2)[1]);
                            return WarmRace.take(ground, jobs, one, limit, () -> {});
                        },
                        COLUMNS);
        Figures figures = bench.figures(results).contestants(Map.of());
        List<Chart> charts = new ArrayList<>();
        Map<String, Object> times = new LinkedHashMap<>();
        for (String name : names) {
            List<Result> own =
                    results.stream().filter(one -> one.name().endsWith(", " + name)).toList();
            Optional<Multiples> with =
                    Multiples.withFirst(own, one -> one.name().startsWith("mri-"), RATE);
            with.ifPresent(
                    one -> own.forEach(result -> times.put(result.name(), one.times(result))));
            Part part = part(name, own, with);
            charts.add(part.charts().get(1));
            figures.part(part);
        }
        return figures.fact("times_mri", times).picture(picture("Jobs that compute", charts));
    }

    private static Payloads kernel(String name) {
        return Objects.requireNonNull(KERNELS.get(name), name);
    }

    /// Fills in results of one kind of job, which are compared with the fastest Sidekiq.
    static Figures fill(Figures figures, List<Result> results) {
        Optional<Multiples> with =
                Multiples.withLargest(RATE, results, Result::isSidekiq, RATE, RATE);
        Part part = part("", results, with);
        with.ifPresent(one -> {
            Result ours =
                    results.stream().filter(Result::isOurs).max(byRate()).orElse(one.reference());
            figures.fact("reference", one.reference().name())
                    .headline(
                            text("%.2f x", one.times(ours)),
                            one.reference().name() + " in jobs/s warm, " + ours.name());
        });
        return figures.contestants(with.map(one -> Map.of("times_reference", one)).orElse(Map.of()))
                .part(part)
                .picture(picture("Jobs as apps have them", part.charts().subList(1, 3)));
    }

    private static Part part(String title, List<Result> results, Optional<Multiples> with) {
        Part part =
                Part.of(title)
                        .with(FigureTable.wide("medians", COLUMNS, results, with))
                        .with(Charts.bars("Jobs/s warm", COLUMNS.getFirst(), results, with))
                        .with(curves(title, "jobs/s", "step_jobs_per_second", results))
                        .with(curves(title, "CPU µs/job", "step_cpu_us_per_job", results))
                        .hinting(HINT);
        for (Result one : results) {
            part = part.saying(one.name() + ": " + course(one.middle(RATE)));
        }
        return part;
    }

    private static Chart curves(String kernel, String unit, String field, List<Result> results) {
        double end =
                results.stream()
                        .flatMap(one -> one.middle(RATE).list("step_seconds").stream())
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElse(0);
        String title = kernel.isEmpty() ? unit : kernel + ", " + unit;
        return Charts.curves(
                title,
                Axis.linear("seconds from the first job", end),
                unit,
                results.stream()
                        .map(one -> {
                            Run run = one.middle(RATE);
                            String name = one.name().split(", ", 2)[0];
                            return one.curve(name, run.list("step_seconds"), run.list(field));
                        })
                        .toList());
    }

    /// The rate of each window, and what a job costs at its end.
    private static String course(Run run) {
        List<Double> ends = run.list("step_seconds");
        List<Double> rates = run.list("step_jobs_per_second");
        List<Double> costs = run.list("step_cpu_us_per_job");
        int window = WarmRace.WINDOW_SECONDS / WarmRace.STEP_SECONDS;
        List<String> words = new ArrayList<>();
        for (int from = 0; from < rates.size(); from += window) {
            int to = Math.min(from + window, rates.size());
            List<Double> some = rates.subList(from, to);
            double rate = some.stream().mapToDouble(Double::doubleValue).average().orElse(0);
            double cost = costs.get(to - 1);
            words.add(text("%,.0f/s %,.0f us at %.0f s", rate, cost, ends.get(to - 1)));
        }
        return String.join(", ", words);
    }

    private static String picture(String title, List<Chart> charts) {
        String note = "From the first job on, until the rate is flat, and while it is counted";
        return ChartPicture.of(title, note, charts, UnaryOperator.identity());
    }

    private static Comparator<Result> byRate() {
        return Comparator.comparingDouble(one -> one.median(RATE));
    }
}
