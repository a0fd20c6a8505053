package dev.mawashi.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/// The table of a benchmark that is a race: rates first, then what they cost.
final class RaceTable {
    private static final double MIB = 1 << 20;

    private static final List<Column<Figures>> RATES =
            List.of(
                    new Column<>("jobs/s", "jobs_per_second", 0, Figures::totalRate),
                    new Column<>("at work", "jobs_per_second_working", 0, Figures::workRate),
                    new Column<>("2nd half", "jobs_per_second_second_half", 0, Figures::lateRate));
    private static final List<Column<Figures>> COSTS =
            List.of(
                    new Column<>("total s", "total_seconds", 2, Figures::totalSeconds),
                    new Column<>("start s", "start_seconds", 2, Figures::startSeconds),
                    new Column<>("CPU s", "cpu_seconds", 2, run -> run.usage().cpuSeconds()),
                    new Column<>("CPU us/job", "cpu_us_per_job", 1, Figures::cpuMicrosPerJob),
                    megabytes("peak MB", "peak_megabytes", run -> run.usage().peakBytes()),
                    allocated());

    private final Bench bench;
    private final Ground ground;
    private final Payloads payloads;
    private final List<Column<Figures>> columns;
    private final Function<Contestant, Comparison<Figures>> comparison;
    private final View<Figures> view;

    /// @param columns the first one is shown with its range
    /// @param comparison with the row that is the reference
    RaceTable(
            RaceSetting setting,
            List<Column<Figures>> columns,
            Function<Contestant, Comparison<Figures>> comparison,
            View<Figures> view) {
        bench = setting.bench();
        ground = setting.ground();
        payloads = setting.payloads();
        this.columns = columns;
        this.comparison = comparison;
        this.view = view;
    }

    /// Of how fast the rows are.
    ///
    /// @param own columns of the benchmark, shown after the rates
    static RaceTable ofRates(RaceSetting setting, List<Column<Figures>> own) {
        List<Column<Figures>> columns = new ArrayList<>(RATES);
        columns.addAll(own);
        columns.addAll(COSTS);
        return new RaceTable(
                setting,
                columns,
                one -> new Comparison<>(one, Figures::totalRate, Figures::workRate),
                View.race(true, List.of("of_ideal", "cpu_us_per_job", "peak_megabytes")));
    }

    /// A column of what JVMs allocated in all.
    static Column<Figures> allocated() {
        return megabytes(
                "allocated MB", "allocated_megabytes", run -> run.usage().allocatedBytes());
    }

    /// A column of sizes.
    static Column<Figures> megabytes(String title, String field, ToDoubleFunction<Figures> bytes) {
        return new Column<>(title, field, 0, run -> bytes.applyAsDouble(run) / MIB);
    }

    /// Runs the race and fills the table.
    ///
    /// @param name of the benchmark
    /// @param isReference which rows may be the one that all are compared with: the fastest of them
    ///   is
    TableReport<Figures> run(
            String name, List<Contestant> contestants, Predicate<Contestant> isReference)
            throws InterruptedException {
        Race race = new Race(ground, payloads);
        Map<Contestant, List<Figures>> runs =
                bench.takeTurns(contestants, race::run, Figures::summary);
        Optional<Comparison<Figures>> compared =
                runs.entrySet().stream()
                        .filter(row -> isReference.test(row.getKey()))
                        .max(Comparator.comparingDouble(row -> rate(row.getValue())))
                        .map(Map.Entry::getKey)
                        .map(comparison);
        return new TableReport<>(
                name, ground.redis().description(), columns, runs, compared, view, bench.notes());
    }

    private static double rate(List<Figures> runs) {
        return Spread.of(runs, Figures::workRate).median();
    }
}
