package dev.mawashi.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// The table of a benchmark that is a race: rates first, then what they cost.
final class RaceTable {
    private static final double MIB = 1 << 20;

    private static final Column<Figures> TOTAL_RATE =
            new Column<>("jobs/s", "jobs_per_second", 0, Figures::totalRate);
    private static final List<Column<Figures>> COLUMNS =
            List.of(
                    TOTAL_RATE,
                    new Column<>("at work", "jobs_per_second_working", 0, Figures::workRate),
                    new Column<>("2nd half", "jobs_per_second_second_half", 0, Figures::lateRate),
                    new Column<>("total s", "total_seconds", 2, Figures::totalSeconds),
                    new Column<>("start s", "start_seconds", 2, Figures::startSeconds),
                    new Column<>("CPU s", "cpu_seconds", 2, Figures::cpuSeconds),
                    new Column<>("CPU us/job", "cpu_us_per_job", 1, Figures::cpuMicrosPerJob),
                    new Column<>("peak MB", "peak_megabytes", 0, run -> run.peakBytes() / MIB));

    private final Bench bench;
    private final Ground ground;
    private final Payloads payloads;
    private final List<Column<Figures>> columns = new ArrayList<>();

    RaceTable(Bench bench, Ground ground, Payloads payloads) {
        this.bench = bench;
        this.ground = ground;
        this.payloads = payloads;
        columns.addAll(COLUMNS);
    }

    /// With a column more, after the rates.
    RaceTable with(Column<Figures> column) {
        columns.add(2, column);
        return this;
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
        Optional<Comparison<Figures>> comparison =
                runs.entrySet().stream()
                        .filter(row -> isReference.test(row.getKey()))
                        .max(Comparator.comparingDouble(row -> rate(row.getValue())))
                        .map(Map.Entry::getKey)
                        .map(one -> new Comparison<>(one, Figures::totalRate, Figures::workRate));
        return new TableReport<>(
                name, ground.redis().description(), columns, runs, comparison, bench.notes());
    }

    private static double rate(List<Figures> runs) {
        return Spread.of(runs, Figures::workRate).median();
    }
}
