package dev.mawashi.bench.report;

import dev.mawashi.bench.chart.Chart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// The findings of a benchmark. Its command fills it in; [TextReport], [JsonReport] and [Page] read
/// it.
public final class Figures {
    final String bench;
    final String redis;
    final List<Result> results;
    final List<String> notes;
    final Map<String, Object> facts = new LinkedHashMap<>();
    final List<Headline> headlines = new ArrayList<>();
    final List<Part> parts = new ArrayList<>();
    String picture = "";

    /// A figure in large print.
    ///
    /// @param text what it is, in a few words
    record Headline(String figure, String text) {}

    /// Shows results as rows of one table.
    ///
    /// @param columns the first one is the benchmark's main figure
    /// @param isMoreBetter whether the larger figure of that one is the better one
    /// @param drawn fields of other columns that are drawn as bars too
    public record View(List<Column> columns, boolean isMoreBetter, List<String> drawn) {
        public View {
            columns = List.copyOf(columns);
            drawn = List.copyOf(drawn);
        }

        public static View moreIsBetter(Column... columns) {
            return new View(List.of(columns), true, List.of());
        }

        public static View lessIsBetter(Column... columns) {
            return new View(List.of(columns), false, List.of());
        }

        /// This view with bars of these fields.
        public View drawing(String... fields) {
            return new View(columns, isMoreBetter, List.of(fields));
        }
    }

    /// @param redis the Redis with the jobs; empty for a benchmark without one
    /// @param notes what was left out, and why
    public Figures(String bench, String redis, List<Result> results, List<String> notes) {
        this.bench = bench;
        this.redis = redis;
        this.results = List.copyOf(results);
        this.notes = List.copyOf(notes);
    }

    /// Adds a field of JSON.
    public Figures fact(String name, Object value) {
        facts.put(name, value);
        return this;
    }

    /// Adds the results to JSON.
    ///
    /// @param comparisons by the name of their field
    public Figures contestants(Map<String, Multiples> comparisons) {
        return contestants(comparisons, _ -> true);
    }

    /// The same where some of them are compared.
    public Figures contestants(Map<String, Multiples> comparisons, Predicate<Result> isCompared) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Result result : results) {
            Map<String, Object> fields = JsonReport.fields(result);
            if (isCompared.test(result)) {
                comparisons.forEach((name, with) -> fields.putAll(with.fields(name, result)));
            }
            all.add(fields);
        }
        return fact("contestants", all);
    }

    public Figures headline(String figure, String text) {
        headlines.add(new Headline(figure, text));
        return this;
    }

    public Figures part(Part part) {
        parts.add(part);
        return this;
    }

    /// Adds a drawing that stands by itself, beside the page.
    public Figures picture(String svg) {
        picture = svg;
        return this;
    }

    /// Adds table, bars and headline of a race, and its course.
    public Figures race(View view, Optional<Multiples> with) {
        Chart warmUp = Charts.warmUp(results, Map.of());
        return rows(view, with, Charts.WARM_UP, warmUp).part(Charts.cores(results));
    }

    /// Adds table, bars and headline of results that are rows.
    public Figures rows(View view, Optional<Multiples> with) {
        return rows(view, with, "");
    }

    /// The same with charts beside the bars.
    ///
    /// @param hint how to read these
    public Figures rows(View view, Optional<Multiples> with, String hint, Chart... beside) {
        Column first = view.columns().getFirst();
        String better = view.isMoreBetter() ? ", more is better" : ", less is better";
        Part part =
                Part.of("")
                        .with(FigureTable.wide("medians", view.columns(), results, with))
                        .with(Charts.bars(title(first) + better, first, results, with))
                        .hinting(hint);
        for (Chart chart : beside) {
            part = part.with(chart);
        }
        for (Column column : view.columns()) {
            if (view.drawn().contains(column.field())) {
                part = part.with(Charts.bars(title(column), column, results));
            }
        }
        headline(view, with);
        with.ifPresent(one -> fact("reference", one.reference().name()));
        contestants(with.map(one -> Map.of("times_reference", one)).orElse(Map.of()));
        return part(part);
    }

    private static String title(Column column) {
        return Wording.capital(column.title().replace("us/job", "µs/job"));
    }

    /// Adds the headline for our best row: its multiple of the reference where more is better,
    /// otherwise the figure itself.
    private void headline(View view, Optional<Multiples> with) {
        Column first = view.columns().getFirst();
        Comparator<Result> order = Comparator.comparingDouble(one -> one.median(first.field()));
        Optional<Result> found =
                results.stream()
                        .filter(Result::isOurs)
                        .filter(one -> with.isEmpty() || !with.get().isReference(one))
                        .min(view.isMoreBetter() ? order.reversed() : order);
        if (found.isEmpty()) {
            return;
        }
        Result best = found.get();
        String figure = first.median(best);
        if (view.isMoreBetter() && with.isPresent()) {
            String peer = with.get().reference().name();
            headline(
                    Wording.text("%.1f x", with.get().times(best)),
                    peer + " in " + first.title() + "; " + best.name() + ": " + figure);
            return;
        }
        // Titles end in their unit.
        int unit = first.title().lastIndexOf(' ') + 1;
        String what = first.title().substring(0, unit).strip();
        String beside =
                with.map(Multiples::reference)
                        .map(peer -> "; %s: %s".formatted(peer.name(), first.median(peer)))
                        .orElse("");
        headline(
                figure + " " + first.title().substring(unit),
                (what.isEmpty() ? "" : what + ", ") + best.name() + beside);
    }
}
