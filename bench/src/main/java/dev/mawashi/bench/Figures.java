package dev.mawashi.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What one run of one contestant came to.
///
/// @param jobs how many it did
/// @param startSeconds from the start of its processes to its first job
/// @param workSeconds from its first job to its last
/// @param lateSeconds from the middle job to the last: what is left of a cold start shows no more
/// @param leastJobs of the processes that ran any, what the one did that ran the fewest
/// @param usage what that took
/// @param curve jobs done in each [#CURVE_STEP_MS] from the first job on
record Figures(
        int jobs,
        double startSeconds,
        double workSeconds,
        double lateSeconds,
        long leastJobs,
        Usage usage,
        List<Long> curve) {
    static final int CURVE_STEP_MS = 250;

    private static final double NANOS = 1e9;

    Figures {
        curve = List.copyOf(curve);
    }

    /// What the processes used, read when the last job was done.
    ///
    /// @param cpuSeconds of the processes since their start
    /// @param redisCpuSeconds of Redis in that time
    /// @param peakBytes largest resident set, summed over the processes; 0 where it cannot be told
    /// @param allocatedBytes by the JVMs among the processes since their start; 0 where none is one
    record Usage(
            double cpuSeconds,
            double redisCpuSeconds,
            long peakBytes,
            long allocatedBytes,
            Memory memory,
            CoreLoad cores) {}

    /// The memory of the processes when the last job was done; what they share counts once in
    /// proportional sets.
    ///
    /// @param serverResident resident set of the processes that were started
    /// @param serverProportional their proportional set
    /// @param childrenProportional that of the processes which those have started
    record Memory(long serverResident, long serverProportional, long childrenProportional) {
        long allProportional() {
            return serverProportional + childrenProportional;
        }

        /// That of the processes which load the app in MRI: the children with their parent, or the
        /// servers themselves where they have none.
        long rubyProportional() {
            return childrenProportional == 0 ? serverProportional : childrenProportional;
        }
    }

    /// @param startedNanos when the processes were started, since 1970
    /// @param tally read up to `jobs` or more
    static Figures of(int jobs, long startedNanos, Tally tally, Usage usage) {
        List<Tally.Moment> moments = tally.moments();
        double first = moments.getFirst().nanos();
        double last = timeOf(jobs, moments);
        return new Figures(
                jobs,
                (first - startedNanos) / NANOS,
                (last - first) / NANOS,
                (last - timeOf(jobs / 2, moments)) / NANOS,
                tally.leastOfAProcess(),
                usage,
                curve(first, last, moments));
    }

    /// When so many jobs were done: the moment that says so, since what lies between two moments is
    /// not known.
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

    /// In a few words.
    String summary() {
        return String.format(
                Locale.ROOT, "%,d jobs in %.2f s, %,.0f jobs/s", jobs, totalSeconds(), totalRate());
    }

    /// From the start of the processes to the last job.
    double totalSeconds() {
        return startSeconds + workSeconds;
    }

    /// Jobs a second, the start included.
    double totalRate() {
        return jobs / totalSeconds();
    }

    /// Jobs a second from the first job to the last.
    double workRate() {
        return jobs / Math.max(workSeconds, 1e-9);
    }

    /// Jobs a second in the second half of the jobs.
    double lateRate() {
        return (jobs - jobs / 2) / Math.max(lateSeconds, 1e-9);
    }

    double cpuMicrosPerJob() {
        return usage.cpuSeconds() * 1e6 / jobs;
    }
}
