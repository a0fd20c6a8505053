package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Result;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// What the tables of races show.
final class RaceView {
    static final Column RATE = new Column("jobs/s", "jobs_per_second", 0);
    static final Column AT_WORK = new Column("jobs/s at work", "jobs_per_second_working", 0);
    static final Column START = new Column("start s", "start_seconds", 2);
    static final Column CPU = new Column("CPU s", "cpu_seconds", 2);
    static final Column CPU_OF_A_JOB = new Column("CPU us/job", "cpu_us_per_job", 1);
    static final Column PEAK = new Column("peak MB", "peak_megabytes", 0);

    private static final String LATE = "jobs_per_second_second_half";
    private static final Column SECOND_HALF = new Column("2nd half", LATE, 0);
    private static final Column ALLOCATED = new Column("allocated MB", "allocated_megabytes", 0);

    /// How fast rows are, and what that costs.
    static final Figures.View RATES =
            new Figures.View(
                    List.of(
                            RATE,
                            new Column("at work", "jobs_per_second_working", 0),
                            SECOND_HALF,
                            new Column("total s", "total_seconds", 2),
                            START,
                            CPU,
                            CPU_OF_A_JOB,
                            PEAK,
                            ALLOCATED),
                    true,
                    List.of("of_ideal", "cpu_us_per_job", "peak_megabytes"));

    /// The place in [#RATES] for a benchmark's own columns.
    static final int OWN = 3;

    private RaceView() {}

    /// How fast rows are once they work.
    ///
    /// @param drawn the field that is drawn as bars too
    static Figures.View atWork(String drawn) {
        return new Figures.View(
                List.of(AT_WORK, SECOND_HALF, START, CPU_OF_A_JOB, ALLOCATED),
                true,
                List.of(drawn));
    }

    /// How fast rows are in the second half of a run, once their code is compiled.
    static Figures.View warm() {
        return new Figures.View(
                List.of(
                        new Column("jobs/s 2nd half", LATE, 0),
                        new Column("at work", "jobs_per_second_working", 0),
                        new Column("with start", "jobs_per_second", 0),
                        START,
                        CPU,
                        CPU_OF_A_JOB,
                        PEAK,
                        ALLOCATED),
                true,
                List.of("cpu_us_per_job", "peak_megabytes"));
    }

    /// A comparison by the second half of runs, of both, with the Sidekiq that is fastest in it.
    static Optional<Multiples> warmWithFastest(List<Result> results) {
        return results.stream()
                .filter(RaceView::isSidekiq)
                .max(Comparator.comparingDouble(one -> one.median(LATE)))
                .map(one -> new Multiples(one, LATE, LATE));
    }

    /// A comparison with the fastest result that may be the reference: our rate with the start,
    /// divided by its rate without.
    static Optional<Multiples> withFastest(List<Result> results, Predicate<Result> mayBeReference) {
        return withFastest(results, mayBeReference, "jobs_per_second", "jobs_per_second_working");
    }

    /// The same by other figures.
    static Optional<Multiples> withFastest(
            List<Result> results, Predicate<Result> mayBeReference, String own, String theirs) {
        return results.stream()
                .filter(mayBeReference)
                .max(Comparator.comparingDouble(one -> one.median("jobs_per_second_working")))
                .map(one -> new Multiples(one, own, theirs));
    }

    /// A comparison by one figure with the first result that may be the reference.
    static Optional<Multiples> withFirst(
            List<Result> results, Predicate<Result> mayBeReference, String figure) {
        return results.stream()
                .filter(mayBeReference)
                .findFirst()
                .map(one -> new Multiples(one, figure, figure));
    }

    static boolean isSidekiq(Result one) {
        return one.name().startsWith("sidekiq");
    }
}
