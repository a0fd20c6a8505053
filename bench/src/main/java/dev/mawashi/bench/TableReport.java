package dev.mawashi.bench;

import com.google.errorprone.annotations.FormatMethod;
import java.io.PrintWriter;
import java.util.ArrayList;
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
/// @param view what else is shown of it
/// @param notes what was left out, and why
/// @param <F> the figures of one run
record TableReport<F>(
        String bench,
        String redis,
        List<Column<F>> columns,
        Map<Contestant, List<F>> runs,
        Optional<Comparison<F>> comparison,
        View<F> view,
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
        print(out, heads());
        runs.forEach((one, figures) -> print(out, row(one, figures)));
        if (!notes.isEmpty()) {
            out.println();
        }
        notes.forEach(out::println);
        out.flush();
    }

    private void print(PrintWriter out, List<String> cells) {
        print(out, NAME + CELL + RANGE, cells.get(0), cells.get(1), cells.get(2));
        int last = 2 + columns.size();
        cells.subList(3, last).forEach(cell -> print(out, CELL, cell));
        cells.subList(last, cells.size()).forEach(cell -> print(out, "  %s", cell));
        out.println();
    }

    private List<String> heads() {
        List<String> heads = new ArrayList<>(List.of("medians", columns.getFirst().title()));
        heads.add("min - max");
        columns.stream().skip(1).forEach(column -> heads.add(column.title()));
        comparison.ifPresent(with -> heads.add("x " + with.reference().name() + " (pairs)"));
        return heads;
    }

    private List<String> row(Contestant one, List<F> figures) {
        Column<F> first = columns.getFirst();
        List<String> cells = new ArrayList<>(List.of(one.name(), first.median(figures)));
        cells.add(first.range(figures));
        columns.stream().skip(1).forEach(column -> cells.add(column.median(figures)));
        comparison
                .filter(with -> !with.reference().equals(one))
                .ifPresent(with -> {
                    Spread pairs = Spread.of(pairs(with, figures), Double::doubleValue);
                    double times = with.times(figures, runsOf(with.reference()));
                    cells.add("%.2f (%.2f - %.2f)".formatted(times, pairs.min(), pairs.max()));
                });
        return cells;
    }

    private List<Double> pairs(Comparison<F> with, List<F> figures) {
        return with.pairs(figures, runsOf(with.reference()));
    }

    List<F> runsOf(Contestant contestant) {
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
        fields.putAll(view.details().apply(figures));
        return fields;
    }

    @Override
    public Section section() {
        List<List<String>> rows = new ArrayList<>();
        runs.forEach((one, figures) -> {
            List<String> cells = row(one, figures);
            rows.add(cells.size() < heads().size() ? with(cells, "1") : cells);
        });
        List<Section.Plots> plots = new ArrayList<>();
        plots.add(new TableBars<>(this).plots());
        plots.addAll(view.plots().apply(runs));
        return new Section(
                new TableBars<>(this).headline().stream().toList(),
                runs.keySet().stream().map(one -> Section.Member.of(one, Hues.of(one))).toList(),
                List.of(new Section.Table(heads(), rows)),
                plots,
                notes);
    }

    private static List<String> with(List<String> cells, String cell) {
        List<String> all = new ArrayList<>(cells);
        all.add(cell);
        return all;
    }
}
