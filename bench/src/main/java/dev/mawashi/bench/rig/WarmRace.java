package dev.mawashi.bench.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Runs contestants, one at a time, at full load until their rate is flat, and then counts. The
/// queue is filled up again before it is empty.
///
/// Time goes in steps of [#STEP_SECONDS] from the first job on. A rate is flat when its mean over
/// the last [#WINDOW_SECONDS] differs from that over as long before by at most [#FLAT]. If it is
/// not by the limit, the counting begins all the same, and the run has 0 as `is_flat`. Counted is
/// as long as the limit, but [#COUNTED_SECONDS] at most.
public final class WarmRace {
    public static final int STEP_SECONDS = 5;
    public static final int WINDOW_SECONDS = 30;
    public static final int COUNTED_SECONDS = 60;
    public static final double FLAT = 0.02;

    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int WINDOW = WINDOW_SECONDS / STEP_SECONDS;
    private static final int QUEUED_MIN = 20_000;

    private final Ground ground;
    private final Payloads payloads;
    private final Contestant contestant;
    private final List<Double> ends = new ArrayList<>();
    private final List<Double> rates = new ArrayList<>();
    private final List<Double> costs = new ArrayList<>();
    private int enqueued;

    /// The counts at one time.
    private record Look(long nanos, long done, double cpuSeconds) {
        double seconds(Look since) {
            return (nanos - since.nanos) / 1e9;
        }

        double rate(Look since) {
            return (done - since.done) / seconds(since);
        }

        /// Microseconds; of no job those of one.
        double cost(Look since) {
            return (cpuSeconds - since.cpuSeconds) * 1e6 / Math.max(1, done - since.done);
        }
    }

    private WarmRace(Ground ground, Payloads payloads, Contestant contestant) {
        this.ground = ground;
        this.payloads = payloads;
        this.contestant = contestant;
    }

    /// One run, with the fields that bench/README.md names.
    ///
    /// @param limit most seconds until the counting begins
    /// @param onWarm is called when it begins
    /// @throws BenchFailure when jobs were lost, run twice, or the queue ran empty
    public static Run take(
            Ground ground, Payloads payloads, Contestant contestant, int limit, Runnable onWarm)
            throws InterruptedException {
        return new WarmRace(ground, payloads, contestant).take(limit, onWarm);
    }

    private Run take(int limit, Runnable onWarm) throws InterruptedException {
        ground.redis().clear();
        fill(QUEUED_MIN);
        double redisBefore = ground.redis().cpuSeconds();
        try (Stint stint = Stint.startAsItIs(ground, contestant)) {
            stint.await("the first job", () -> stint.tally().read() > 0);
            Look first = look(stint);
            Look warm = steps(stint, first, limit, true);
            onWarm.run();
            boolean isFlat = isFlat(rates);
            int counted = Math.min(limit, COUNTED_SECONDS);
            Look last = steps(stint, first, warm.seconds(first) + counted, false);
            double redisSeconds = ground.redis().cpuSeconds() - redisBefore;
            Run usage = Race.usage(stint.crew(), redisSeconds, (int) last.done());
            stint.finish(List.of(contestant.intake().queue), enqueued);
            return usage.with("warm_after_seconds", warm.seconds(first))
                    .with("is_flat", isFlat ? 1 : 0)
                    .with("jobs_done", stint.tally().read())
                    .with("jobs_per_second_first", mean(rates.subList(0, at(WINDOW))))
                    .with("jobs_per_second_warm", last.rate(warm))
                    .with("cpu_us_per_job_warm", last.cost(warm))
                    .with("step_seconds", ends)
                    .with("step_jobs_per_second", rates)
                    .with("step_cpu_us_per_job", costs);
        }
    }

    private int at(int step) {
        return Math.min(step, rates.size());
    }

    /// Takes steps until the end, in seconds from the first job, or until the rate is flat.
    private Look steps(Stint stint, Look first, double end, boolean isWarming)
            throws InterruptedException {
        Look before = look(stint);
        while (before.seconds(first) < end && !(isWarming && isFlat(rates))) {
            Look now = before;
            while (now.seconds(before) < STEP_SECONDS) {
                stint.rest(LOOK);
                now = look(stint);
                keepFull(now.rate(first));
            }
            ends.add(now.seconds(first));
            rates.add(now.rate(before));
            costs.add(now.cost(before));
            before = now;
        }
        return before;
    }

    private Look look(Stint stint) {
        long done = stint.tally().read();
        return new Look(ground.nanos(), done, stint.cpuSeconds());
    }

    /// What is queued lasts for some steps, also at twice the rate so far.
    private void keepFull(double rate) {
        long queued = ground.redis().size("LLEN", contestant.intake().queue);
        if (queued == 0) {
            throw new BenchFailure(
                    contestant.name() + " had emptied the queue before it was filled");
        }
        int wanted = Math.max(QUEUED_MIN, (int) (4 * STEP_SECONDS * rate));
        if (queued < wanted / 2) {
            fill(wanted / 2);
        }
    }

    private void fill(int jobs) {
        ground.redis().enqueue(jobs, payloads, contestant.intake());
        enqueued += jobs;
    }

    /// Whether these end flat.
    ///
    /// @param rates of steps
    static boolean isFlat(List<Double> rates) {
        int count = rates.size();
        if (count < 2 * WINDOW) {
            return false;
        }
        double earlier = mean(rates.subList(count - 2 * WINDOW, count - WINDOW));
        double later = mean(rates.subList(count - WINDOW, count));
        return Math.abs(later - earlier) <= FLAT * earlier;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }
}
