package dev.mawashi.bench;

import com.google.errorprone.annotations.FormatMethod;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What the scaling benchmark found out: a table for each line (bench/README.md).
///
/// @param redis what the jobs were in
/// @param laps of each point, those of a line together and from the least value on
/// @param notes what was left out, and why
record ScalingReport(
        Machine machine, String redis, Map<ScalePoint, List<Lap>> laps, List<String> notes)
        implements Report {
    private static final String NAME = "%-18s";
    private static final String CELL = "  %14s";
    private static final String RANGE = "  %-19s";

    ScalingReport {
        laps = new LinkedHashMap<>(laps);
        notes = List.copyOf(notes);
    }

    List<Scale> scales() {
        return laps.keySet().stream().map(ScalePoint::scale).distinct().toList();
    }

    List<ScalePoint> points(Scale scale) {
        return laps.keySet().stream().filter(point -> point.scale() == scale).toList();
    }

    List<Lap> lapsOf(ScalePoint point) {
        return laps.getOrDefault(point, List.of());
    }

    /// What bounds the line: at its fastest point, and at the end that is the slower one.
    String bound(Scale scale) {
        List<ScalePoint> points = points(scale);
        ScalePoint best = points.stream().max(Comparator.comparingDouble(this::rate)).orElseThrow();
        ScalePoint end =
                rate(points.getFirst()) < rate(points.getLast())
                        ? points.getFirst()
                        : points.getLast();
        String sentence = at(best);
        return (best.equals(end) ? sentence : sentence + "; " + at(end)) + ".";
    }

    private String at(ScalePoint point) {
        return String.format(
                Locale.ROOT,
                "at %s, %,.0f jobs/s, %s",
                point.contestant().name(),
                rate(point),
                middle(point).bound(machine.cores()));
    }

    private double rate(ScalePoint point) {
        return Spread.of(lapsOf(point), Lap::rate).median();
    }

    /// The lap in the middle by its rate.
    private Lap middle(ScalePoint point) {
        List<Lap> sorted =
                lapsOf(point).stream().sorted(Comparator.comparingDouble(Lap::rate)).toList();
        return sorted.get(sorted.size() / 2);
    }

    static List<String> heads() {
        List<String> heads = new ArrayList<>();
        Lap.COLUMNS.forEach(column -> heads.add(column.title()));
        heads.add(1, "min - max");
        return heads;
    }

    List<String> cells(ScalePoint point) {
        List<String> cells = new ArrayList<>();
        Lap.COLUMNS.forEach(column -> cells.add(column.median(lapsOf(point))));
        cells.add(1, Lap.COLUMNS.getFirst().range(lapsOf(point)));
        return cells;
    }

    @Override
    public void print(PrintWriter out) {
        int count = laps.values().iterator().next().size();
        print(out, "scaling, %d runs each, in turn%n", count);
        print(out, "  machine   %s%n", machine.describe());
        print(out, "  redis     %s%n", redis);
        for (Scale scale : scales()) {
            ScalePoint first = points(scale).getFirst();
            out.println();
            print(out, "%s, first: %s%n", scale.word(), first.contestant().description());
            print(out, "medians", heads());
            points(scale).forEach(point -> print(out, point.contestant().name(), cells(point)));
            print(out, "%s%n", capital(bound(scale)));
        }
        if (!notes.isEmpty()) {
            out.println();
        }
        notes.forEach(out::println);
        out.flush();
    }

    private static void print(PrintWriter out, String name, List<String> cells) {
        print(out, NAME + CELL + RANGE, name, cells.get(0), cells.get(1));
        cells.subList(2, cells.size()).forEach(cell -> print(out, CELL, cell));
        out.println();
    }

    static String capital(String sentence) {
        return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
    }

    @FormatMethod
    private static void print(PrintWriter out, String form, Object... values) {
        out.printf(Locale.ROOT, form, values);
    }

    @Override
    public String json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("bench", "scaling");
        all.put("machine", JsonReport.fields(machine, redis));
        all.put("series", scales().stream().map(this::series).toList());
        all.put("notes", notes);
        return JsonReport.json(all);
    }

    private Map<String, Object> series(Scale scale) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", scale.word());
        fields.put("unit", scale.unit());
        fields.put("bound", capital(bound(scale)));
        fields.put("points", points(scale).stream().map(this::point).toList());
        return fields;
    }

    private Map<String, Object> point(ScalePoint point) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("value", point.value());
        fields.putAll(JsonReport.fields(point.contestant()));
        fields.put("runs", lapsOf(point).stream().map(ScalingReport::run).toList());
        return fields;
    }

    private static Map<String, Object> run(Lap lap) {
        Map<String, Object> fields = new LinkedHashMap<>();
        Lap.COLUMNS.forEach(column -> fields.put(column.field(), column.of(lap)));
        fields.put("busiest", lap.busiest().name());
        return fields;
    }

    @Override
    public Section section() {
        return new ScalingSection(this).section();
    }
}
