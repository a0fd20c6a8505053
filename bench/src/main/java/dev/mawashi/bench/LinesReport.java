package dev.mawashi.bench;

import com.google.errorprone.annotations.FormatMethod;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What the lines benchmark found out, a table for each form of text (bench/README.md).
///
/// @param texts that were read
/// @param runs of each contestant, MRI first where there is one
/// @param notes what was left out, and why
record LinesReport(
        List<LinesText> texts, Map<Contestant, List<LinesFigures>> runs, List<String> notes)
        implements Report {
    private static final String NO_REDIS = "none";

    LinesReport {
        texts = List.copyOf(texts);
        runs = new LinkedHashMap<>(runs);
        notes = List.copyOf(notes);
    }

    @Override
    public void print(PrintWriter out) {
        Contestant first = runs.keySet().iterator().next();
        print(out, "lines, %d runs each, in turn%n", runsOf(first).size());
        print(out, "  machine   %s%n", Machine.here().describe());
        runs.keySet().forEach(one -> print(out, "  %-9s %s%n", one.name(), one.description()));
        texts.forEach(text -> table(out, text, first));
        notes.forEach(out::println);
        out.flush();
    }

    private void table(PrintWriter out, LinesText text, Contestant first) {
        LinesText.Form form = text.form();
        print(
                out,
                "%n%-10s %10s  %-17s %10s %10s  x %s (pairs)%n",
                form.word() + " MB/s",
                "warm",
                "min - max",
                "first pass",
                "all passes",
                first.name());
        runs.forEach((one, figures) -> {
            Spread warm = Spread.of(figures, run -> run.of(form).warm());
            Spread pairs = Spread.of(pairs(form, one, first), Double::doubleValue);
            print(
                    out,
                    "%-10s %10.0f  %-17s %10.0f %10.0f  %.2f (%.2f - %.2f)%n",
                    one.name(),
                    warm.median(),
                    String.format(Locale.ROOT, "%.0f - %.0f", warm.min(), warm.max()),
                    Spread.of(figures, run -> run.of(form).first()).median(),
                    Spread.of(figures, run -> run.of(form).whole()).median(),
                    times(form, one, first),
                    pairs.min(),
                    pairs.max());
        });
        print(out, "%,d lines, %,d bytes, %d passes%n", text.lines(), text.bytes(), first.jobs());
    }

    List<LinesFigures> runsOf(Contestant one) {
        return runs.getOrDefault(one, List.of());
    }

    double times(LinesText.Form form, Contestant one, Contestant first) {
        return Spread.of(runsOf(one), run -> run.of(form).warm()).median()
                / Spread.of(runsOf(first), run -> run.of(form).warm()).median();
    }

    List<Double> pairs(LinesText.Form form, Contestant one, Contestant first) {
        List<Double> pairs = new ArrayList<>();
        List<LinesFigures> own = runsOf(one);
        List<LinesFigures> theirs = runsOf(first);
        for (int i = 0; i < own.size(); i++) {
            pairs.add(own.get(i).of(form).warm() / theirs.get(i).of(form).warm());
        }
        return pairs;
    }

    @FormatMethod
    private static void print(PrintWriter out, String form, Object... values) {
        out.printf(Locale.ROOT, form, values);
    }

    @Override
    public String json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("bench", "lines");
        all.put("machine", JsonReport.fields(Machine.here(), NO_REDIS));
        Contestant first = runs.keySet().iterator().next();
        all.put("reference", first.name());
        for (LinesText text : texts) {
            all.put(text.form().word() + "_bytes", text.bytes());
            all.put(text.form().word() + "_lines", text.lines());
        }
        all.put("contestants", runs.keySet().stream().map(one -> fields(one, first)).toList());
        all.put("notes", notes);
        return JsonReport.json(all);
    }

    private Map<String, Object> fields(Contestant one, Contestant first) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", one.name());
        fields.put("description", one.description());
        fields.put("command", one.command());
        fields.put("runs", runsOf(one).stream().map(LinesReport::run).toList());
        for (LinesText.Form form : LinesText.Form.values()) {
            String name = form.word();
            fields.put(name + "_times_reference", pairs(form, one, first));
            fields.put(name + "_times_reference_median", times(form, one, first));
        }
        return fields;
    }

    private static Map<String, Object> run(LinesFigures figures) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (LinesText.Form form : LinesText.Form.values()) {
            String name = form.word();
            LinesRun run = figures.of(form);
            fields.put(name + "_warm_mb_per_second", run.warm());
            fields.put(name + "_first_mb_per_second", run.first());
            fields.put(name + "_mb_per_second", run.whole());
            fields.put(name + "_pass_seconds", run.seconds());
        }
        return fields;
    }

    @Override
    public String redis() {
        return "";
    }

    @Override
    public Section section() {
        return new LinesSection(this).section();
    }
}
