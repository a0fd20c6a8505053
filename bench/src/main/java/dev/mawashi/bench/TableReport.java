package dev.mawashi.bench;

import com.google.errorprone.annotations.FormatMethod;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A table with a row a contestant: of the first column the median and the range of the runs, of
/// the others the medians, and at the end how the rows compare.
///
/// @param bench its name
/// @param redis what the jobs were in
/// @param columns at least one
/// @param runs of each contestant
/// @param comparison with one of them, if it took part
/// @param notes what was left out, and why
/// @param <F> the figures of one run
record TableReport<F>(
        String bench,
        String redis,
        List<Column<F>> columns,
        Map<Contestant, List<F>> runs,
        Optional<Comparison<F>> comparison,
        List<String> notes)
        implements Report {
    private static final String NAME = "%-16s";
    private static final String CELL = "  %13s";
    private static final String RANGE = "  %-21s";

    TableReport {
        columns = List.copyOf(columns);
        runs = new LinkedHashMap<>(runs);
        notes = List.copyOf(notes);
    }

    @Override
    public void print(PrintWriter out) {
        int count = runs.values().iterator().next().size();
        print(out, "%s, %d runs each, in turn%n", bench, count);
        print(out, "  machine         %s%n", Machine.here().describe());
        print(out, "  redis           %s, the same for all%n", redis);
        for (Contestant one : runs.keySet()) {
            print(out, "  %-15s %,d jobs a run: %s%n", one.name(), one.jobs(), one.description());
        }
        out.println();
        heads(out);
        runs.forEach((one, figures) -> row(out, one, figures));
        if (!notes.isEmpty()) {
            out.println();
        }
        notes.forEach(out::println);
        out.flush();
    }

    private void heads(PrintWriter out) {
        print(out, NAME + CELL + RANGE, "medians", columns.getFirst().title(), "min - max");
        columns.stream().skip(1).forEach(column -> print(out, CELL, column.title()));
        comparison.ifPresent(one -> print(out, "  x %s (pairs)", one.reference().name()));
        out.println();
    }

    private void row(PrintWriter out, Contestant one, List<F> figures) {
        Column<F> first = columns.getFirst();
        print(out, NAME + CELL + RANGE, one.name(), first.median(figures), first.range(figures));
        columns.stream().skip(1).forEach(column -> print(out, CELL, column.median(figures)));
        comparison
                .filter(other -> !other.reference().equals(one))
                .ifPresent(other -> {
                    Spread pairs = Spread.of(pairs(other, figures), Double::doubleValue);
                    print(
                            out,
                            "  %.2f (%.2f - %.2f)",
                            other.times(figures, runsOf(other.reference())),
                            pairs.min(),
                            pairs.max());
                });
        out.println();
    }

    private List<Double> pairs(Comparison<F> with, List<F> figures) {
        return with.pairs(figures, runsOf(with.reference()));
    }

    private List<F> runsOf(Contestant contestant) {
        return runs.getOrDefault(contestant, List.of());
    }

    @FormatMethod
    private static void print(PrintWriter out, String form, Object... values) {
        out.printf(Locale.ROOT, form, values);
    }

    @Override
    public String json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("bench", bench);
        all.put("machine", JsonReport.fields(Machine.here(), redis));
        comparison.ifPresent(one -> all.put("reference", one.reference().name()));
        all.put("contestants", runs.keySet().stream().map(this::contestant).toList());
        all.put("notes", notes);
        return JsonReport.json(all);
    }

    private Map<String, Object> contestant(Contestant one) {
        List<F> figures = runsOf(one);
        Map<String, Object> fields = JsonReport.fields(one);
        fields.put("runs", figures.stream().map(this::run).toList());
        comparison
                .filter(other -> !other.reference().equals(one))
                .ifPresent(other -> {
                    fields.put("times_reference", pairs(other, figures));
                    fields.put(
                            "times_reference_median",
                            other.times(figures, runsOf(other.reference())));
                });
        return fields;
    }

    private Map<String, Object> run(F figures) {
        Map<String, Object> fields = new LinkedHashMap<>();
        columns.forEach(column -> fields.put(column.field(), column.of(figures)));
        return fields;
    }
}
