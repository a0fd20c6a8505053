package dev.mawashi.bench;

import com.google.errorprone.annotations.FormatMethod;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// What the schedule benchmark found out, as a table or as JSON (bench/README.md).
///
/// @param redis what the jobs were in
/// @param load what there was to do
/// @param runs of each contestant, ours first
/// @param notes what was left out, and why
record ScheduleReport(
        Machine machine,
        String redis,
        ScheduleRace.Load load,
        Map<Contestant, List<ScheduleFigures>> runs,
        List<String> notes)
        implements Report {

    @Override
    public void print(PrintWriter out) {
        int count = runs.values().iterator().next().size();
        print(out, "schedule, %d runs each, in turn%n", count);
        print(out, "  machine   %s%n", machine.describe());
        print(out, "  redis     %s, the same for all%n", redis);
        runs.keySet().forEach(one -> print(out, "  %-9s %s%n", one.name(), one.description()));
        print(
                out,
                "%n%,d jobs scheduled for later; %,d probes due one by one over %d s%n%n",
                load.entries(),
                load.probes(),
                load.probeSeconds());
        print(out, "%-34s %10s %10s %10s%n", "ms late", "p50", "p99", "latest");
        runs.forEach((one, figures) -> {
            lateness(out, one.name() + ", median run", figures, false);
            lateness(out, one.name() + ", worst run", figures, true);
        });
        print(
                out,
                "%n%-34s %10s  %-19s%n",
                "%,d due at once".formatted(load.burst()),
                "median",
                "min - max");
        runs.forEach((one, figures) -> {
            spread(
                    out,
                    one.name() + ", s until moved",
                    Spread.of(figures, ScheduleFigures::movedSeconds));
            spread(
                    out,
                    one.name() + ", s until run",
                    Spread.of(figures, ScheduleFigures::ranSeconds));
            spread(
                    out,
                    one.name() + ", ms a script, p99",
                    Spread.of(figures, ScheduleFigures::scriptMillis));
            spread(
                    out,
                    one.name() + ", ms Redis was held at most",
                    Spread.of(figures, ScheduleFigures::heldMillis));
            spread(
                    out,
                    one.name() + ", ms an idle script at most",
                    Spread.of(figures, ScheduleFigures::idleMillis));
        });
        notes.forEach(out::println);
        out.flush();
    }

    private static void lateness(
            PrintWriter out, String name, List<ScheduleFigures> figures, boolean isWorst) {
        print(
                out,
                "%-34s %10.1f %10.1f %10.1f%n",
                name,
                of(figures, run -> run.percentile(50), isWorst),
                of(figures, run -> run.percentile(99), isWorst),
                of(figures, ScheduleFigures::latest, isWorst));
    }

    private static double of(
            List<ScheduleFigures> figures,
            ToDoubleFunction<ScheduleFigures> figure,
            boolean isWorst) {
        Spread spread = Spread.of(figures, figure);
        return isWorst ? spread.max() : spread.median();
    }

    private static void spread(PrintWriter out, String name, Spread spread) {
        String range = String.format(Locale.ROOT, "%.2f - %.2f", spread.min(), spread.max());
        print(out, "%-34s %10.2f  %-19s%n", name, spread.median(), range);
    }

    @FormatMethod
    private static void print(PrintWriter out, String form, Object... values) {
        out.printf(Locale.ROOT, form, values);
    }

    @Override
    public String json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("bench", "schedule");
        all.put("machine", JsonReport.fields(machine, redis));
        all.put("entries", load.entries());
        all.put("probes", load.probes());
        all.put("probe_seconds", load.probeSeconds());
        all.put("burst", load.burst());
        all.put("contestants", runs.keySet().stream().map(this::contestant).toList());
        all.put("notes", notes);
        return JsonReport.json(all);
    }

    private Map<String, Object> contestant(Contestant one) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", one.name());
        fields.put("description", one.description());
        fields.put("command", one.command());
        List<ScheduleFigures> figures = runs.getOrDefault(one, List.of());
        fields.put("runs", figures.stream().map(ScheduleReport::run).toList());
        return fields;
    }

    private static Map<String, Object> run(ScheduleFigures run) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("late_ms", run.lateMillis());
        fields.put("late_ms_p50", run.percentile(50));
        fields.put("late_ms_p99", run.percentile(99));
        fields.put("late_ms_max", run.latest());
        fields.put("burst_moved_seconds", run.movedSeconds());
        fields.put("burst_ran_seconds", run.ranSeconds());
        fields.put("script_ms_p99", run.scriptMillis());
        fields.put("redis_held_ms_max", run.heldMillis());
        fields.put("idle_script_ms_max", run.idleMillis());
        return fields;
    }

    @Override
    public Section section() {
        return new ScheduleSection(this).section();
    }
}
