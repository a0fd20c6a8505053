package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The columns of the tables of races, and the rows that they are compared with.
final class Views {
    static final String RATE = "jobs_per_second";
    static final String WORKING = "jobs_per_second_working";
    static final String LATE = "jobs_per_second_second_half";
    static final Column CPU = new Column("CPU s", "cpu_seconds", 2);
    static final Column PEAK = new Column("peak MB", "peak_megabytes", 0);
    static final Column ALLOCATED = new Column("allocated MB", "allocated_megabytes", 0);
    private static final Column WITH_START = new Column("jobs/s", RATE, 0);
    private static final Column AT_WORK = new Column("at work", WORKING, 0);
    private static final Column SECOND_HALF = new Column("2nd half", LATE, 0);
    private static final Column START = new Column("start s", "start_seconds", 2);
    private static final Column CPU_OF_A_JOB = new Column("CPU us/job", "cpu_us_per_job", 1);

    /// How fast rows are, and what that costs.
    static final Figures.View RATES = rates();

    /// How fast rows are in the second half of a run, once their code is compiled, and how long a
    /// job takes.
    static final Figures.View WARM =
            Figures.View.moreIsBetter(
                            new Column("jobs/s 2nd half", LATE, 0),
                            AT_WORK,
                            new Column("with start", RATE, 0),
                            new Column("a job p50 ms", "job_p50_ms", 1),
                            new Column("a job p99 ms", "job_p99_ms", 1),
                            START,
                            CPU,
                            CPU_OF_A_JOB,
                            PEAK,
                            ALLOCATED)
                    .drawing("cpu_us_per_job", "peak_megabytes");

    /// Where memory is when the last job is done.
    static final Figures.View MEMORY =
            Figures.View.lessIsBetter(
                            new Column("Ruby PSS MB", "ruby_pss_megabytes", 0),
                            new Column("all PSS MB", "all_pss_megabytes", 0),
                            new Column("server RSS MB", "server_rss_megabytes", 0),
                            new Column("peaks MB", "peak_megabytes", 0),
                            new Column("least jobs", "least_jobs_of_a_process", 0),
                            WITH_START)
                    .drawing("all_pss_megabytes", "peak_megabytes");

    private Views() {}

    /// How fast rows are, with a benchmark's own columns behind their rates.
    static Figures.View rates(Column... own) {
        List<Column> columns = new ArrayList<>(List.of(WITH_START, AT_WORK, SECOND_HALF));
        columns.addAll(List.of(own));
        columns.add(new Column("total s", "total_seconds", 2));
        columns.addAll(List.of(START, CPU, CPU_OF_A_JOB, PEAK, ALLOCATED));
        return Figures.View.moreIsBetter(columns.toArray(Column[]::new))
                .drawing("of_ideal", "cpu_us_per_job", "peak_megabytes");
    }

    /// How fast rows are once they work.
    ///
    /// @param drawn the field that is drawn as bars too
    static Figures.View atWork(String drawn) {
        Column rate = new Column("jobs/s at work", WORKING, 0);
        return Figures.View.moreIsBetter(rate, SECOND_HALF, START, CPU_OF_A_JOB, ALLOCATED)
                .drawing(drawn);
    }

    /// A comparison with the fastest result that may be the reference: our rate with the start,
    /// divided by its rate without.
    static Optional<Multiples> withFastest(List<Result> results, Predicate<Result> mayBeReference) {
        return withFastest(results, mayBeReference, RATE, WORKING);
    }

    /// The same by other figures.
    static Optional<Multiples> withFastest(
            List<Result> results, Predicate<Result> mayBeReference, String own, String theirs) {
        return Multiples.withLargest(WORKING, results, mayBeReference, own, theirs);
    }

    /// A comparison by the second half of runs, of both, with the Sidekiq that is fastest in it.
    static Optional<Multiples> warmWithFastest(List<Result> results) {
        return Multiples.withLargest(LATE, results, Result::isSidekiq, LATE, LATE);
    }

    /// A comparison with the first result by what each does at work.
    static Optional<Multiples> atWorkWithFirst(List<Result> results) {
        return Optional.of(new Multiples(results.getFirst(), WORKING, WORKING));
    }
}
