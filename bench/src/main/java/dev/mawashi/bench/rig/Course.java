package dev.mawashi.bench.rig;

import java.util.ArrayList;
import java.util.List;

/// The times and rates of a race, by what its jobs counted.
public final class Course {
    /// The curve counts the jobs done in each of these steps, from the first job on.
    public static final int CURVE_STEP_MS = 250;

    private static final double NANOS = 1e9;

    private Course() {}

    /// Of a few jobs one moment may count all, and the time that they took is unknown. Their rate
    /// was above the rate with the start, which then stands in its place.
    ///
    /// @param startedNanos when the processes were started, since 1970
    /// @param tally read up to `jobs` or more
    static Run of(int jobs, long startedNanos, Tally tally) {
        List<Tally.Moment> moments = tally.moments();
        double first = moments.getFirst().nanos();
        double last = timeOf(jobs, moments);
        double start = (first - startedNanos) / NANOS;
        double work = (last - first) / NANOS;
        // In this half of the jobs nothing of a cold start shows any more.
        double late = (last - timeOf(jobs / 2, moments)) / NANOS;
        double rate = jobs / (start + work);
        return Run.EMPTY
                .with("start_seconds", start)
                .with("work_seconds", work)
                .with("total_seconds", start + work)
                .with("second_half_seconds", late)
                .with("jobs_per_second", rate)
                .with("jobs_per_second_working", work > 0 ? jobs / work : rate)
                .with("jobs_per_second_second_half", late > 0 ? (jobs - jobs / 2) / late : rate)
                .with("least_jobs_of_a_process", tally.leastOfAProcess())
                .with("curve_step_ms", CURVE_STEP_MS)
                .with("curve_jobs", curve(first, last, moments));
    }

    /// When so many jobs were done: the first moment that counts them, since nothing is known of
    /// the time between two moments.
    private static double timeOf(long done, List<Tally.Moment> moments) {
        for (Tally.Moment moment : moments) {
            if (moment.done() >= done) {
                return moment.nanos();
            }
        }
        throw new IllegalArgumentException("only " + moments.getLast().done() + " jobs were done");
    }

    private static List<Long> curve(double first, double last, List<Tally.Moment> moments) {
        List<Long> curve = new ArrayList<>();
        long before = 0;
        double step = CURVE_STEP_MS * NANOS / 1_000;
        for (double end = first + step; end < last + step; end += step) {
            long done = doneBy(end, moments);
            curve.add(done - before);
            before = done;
        }
        return curve;
    }

    /// Jobs done by a time, on the straight line between the moments around it.
    private static long doneBy(double nanos, List<Tally.Moment> moments) {
        Tally.Moment before = moments.getFirst();
        for (Tally.Moment moment : moments) {
            if (moment.nanos() >= nanos) {
                double span = Math.max(1, moment.nanos() - before.nanos());
                double part = Math.max(0, (nanos - before.nanos()) / span);
                return before.done() + Math.round(part * (moment.done() - before.done()));
            }
            before = moment;
        }
        return before.done();
    }
}
