package dev.mawashi.bench.rig;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;

/// Runs contestants, one at a time, with a large set of jobs that are not due, and measures how
/// late due jobs begin: first single ones, then many that are due at one instant.
public final class ScheduleRace {
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration MOVED_LOOK = Duration.ofMillis(2);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long FAR_MILLIS = Duration.ofDays(30).toMillis();

    /// The time between filling and the first due time.
    private static final long LEAD_MILLIS = 1_500;

    /// How many jobs of the burst can be added in a millisecond, for the time before it is due.
    private static final int BURST_FILL_RATE = 25;

    private final Ground ground;
    private final Load load;

    /// The load of a run.
    ///
    /// @param entries scheduled for much later
    /// @param probes jobs that become due one after the other
    /// @param probeSeconds the time over which they are spread
    /// @param burst jobs due at one instant
    public record Load(int entries, int probes, int probeSeconds, int burst) {}

    public ScheduleRace(Ground ground, Load load) {
        this.ground = ground;
        this.load = load;
    }

    /// @throws BenchFailure when jobs were lost, run twice or early, or not done in time
    public Run run(Contestant contestant) throws InterruptedException {
        ScheduleSet set = new ScheduleSet(ground.redis());
        try (Stint stint = Stint.start(ground, contestant)) {
            long far = ground.clock().millis() + FAR_MILLIS;
            set.add(load.entries(), i -> far + i, Payloads.NOOP::payload);
            ground.redis().enqueue(Payloads.PROBE.payload(0), JobSource.SIDEKIQ);
            await("the first job", stint, LOOK, () -> !BeginLine.in(stint.place()).isEmpty());
            List<Double> late = probe(set, stint);
            long due = ground.clock().millis() + LEAD_MILLIS + load.burst() / BURST_FILL_RATE;
            double moved = burst(set, stint, due);
            await("the burst", stint, LOOK, () -> stint.tally().read() >= load.burst());
            Run run =
                    Run.EMPTY
                            .with("late_ms", late)
                            .with("burst_moved_seconds", moved)
                            .with("burst_ran_seconds", ended(stint) - due / 1e3)
                            .with("script_ms_p99", set.scriptPercentile())
                            .with("redis_held_ms_max", set.slowest())
                            .with("idle_script_ms_max", set.longestIdle());
            stint.crew().stop();
            check(contestant, set, stint.tally().read());
            stint.finish();
            return run;
        }
    }

    private static double ended(Stint stint) {
        return stint.tally().moments().getLast().nanos() / 1e9;
    }

    /// @return how late each probe began, sorted
    private List<Double> probe(ScheduleSet set, Stint stint) throws InterruptedException {
        long first = ground.clock().millis() + LEAD_MILLIS;
        double step = load.probeSeconds() * 1_000.0 / load.probes();
        LongUnaryOperator due = i -> first + Math.round(i * step);
        set.add(load.probes(), due, i -> Payloads.PROBE.payload(due.applyAsLong(i)));
        int probes = load.probes();
        await("the probes", stint, LOOK, () -> BeginLine.in(stint.place()).size() > probes);
        List<Double> late =
                BeginLine.in(stint.place()).stream()
                        .filter(one -> one.argument() > 0)
                        .map(one -> one.beganNanos() / 1e6 - one.argument())
                        .sorted()
                        .toList();
        if (late.size() != probes) {
            throw new BenchFailure(
                    String.format(Locale.ROOT, "%,d probes ran of %,d", late.size(), probes));
        }
        if (late.getFirst() < 0) {
            throw new BenchFailure("a probe began before it was due");
        }
        return late;
    }

    /// @return seconds from `due` until all had left the set
    private double burst(ScheduleSet set, Stint stint, long due) throws InterruptedException {
        int left = load.entries();
        set.add(load.burst(), _ -> due, i -> Payloads.NOOP.payload(left + i));
        if (ground.clock().millis() > due) {
            throw new BenchFailure("Redis took the burst too slowly: make it smaller");
        }
        set.watchSlow();
        await("the due time", stint, LOOK, () -> ground.clock().millis() >= due);
        await("the burst to be moved", stint, MOVED_LOOK, () -> isMoved(set, left));
        return (ground.clock().millis() - due) / 1_000.0;
    }

    private static boolean isMoved(ScheduleSet set, int left) {
        set.idle();
        return set.size() <= left;
    }

    private void await(String what, Stint stint, Duration look, BooleanSupplier condition)
            throws InterruptedException {
        stint.await(what, look, PATIENCE.plusSeconds(load.probeSeconds()), condition);
    }

    private void check(Contestant contestant, ScheduleSet set, long ran) {
        long left = set.size();
        if (ran != load.burst() || left != load.entries()) {
            throw new BenchFailure(
                    String.format(
                            Locale.ROOT,
                            "%s ran %,d jobs of %,d due at once, and left %,d of %,d",
                            contestant.name(),
                            ran,
                            load.burst(),
                            left,
                            load.entries()));
        }
        set.clear();
    }
}
