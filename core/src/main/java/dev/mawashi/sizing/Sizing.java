package dev.mawashi.sizing;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/// Computes how many processes a pool should have: enough for its load, and no fewer than now until
/// fewer would do with a margin. So a steady load gives a steady number, without any memory.
///
/// With `n` processes of `s` slots, `b` running jobs, `w` waiting jobs of `r` seconds each, and a
/// next job that has waited `l` seconds:
///
///     load(share) = b / (s * share)
///     drain(time) = w * r / (s * time)
///     late        = n * min(2, l / latency), where l > latency
///     useful      = (b + w) / s
///     enough      = max(load(0.85), min(useful, max(drain(drain), late)))
///     ample       = max(load(0.6), min(useful, drain(drain / 2)), n where l > latency / 2)
///     wanted      = n within enough..ample, and that within min..max
///
/// each rounded up to whole processes. More slots than jobs are never of use against waiting, hence
/// `useful`. `late` at most doubles the number, since old jobs go on being old while they are worked
/// off. While `r` is not known, `drain` is 0 and `ample` at least `n`.
public final class Sizing {
    /// Share of busy slots above which there are too few.
    static final double BUSY = 0.85;

    /// Share of busy slots that fewer processes may have.
    static final double CALM = 0.6;

    private static final double GROWTH_MAX = 2;

    /// Processes are counted in whole ones; an error of rounding is none.
    private static final double ROUNDING = 1e-9;

    private static final double PERCENT = 100;

    private final ServingPool pool;
    private final SizeBounds bounds;

    private Sizing(ServingPool pool, SizeBounds bounds) {
        this.pool = pool;
        this.bounds = bounds;
    }

    public static WantedSize of(ServingPool pool, SizeBounds bounds) {
        if (pool.processes() == 0 || pool.slots() == 0) {
            return new WantedSize(
                    pool,
                    OptionalLong.empty(),
                    pool.processes() == 0
                            ? "no live process takes jobs of these queues, so the work of one is"
                                    + " unknown: start one"
                            : "no process has reported its slots yet: ask again after its first"
                                    + " beat");
        }
        return new Sizing(pool, bounds).size();
    }

    private WantedSize size() {
        long now = pool.processes();
        long enough = enough();
        long ample = Math.max(enough, ample());
        long free = Math.clamp(now, enough, ample);
        long wanted = Math.clamp(free, bounds.min(), bounds.max());
        String reason = free > now ? more() : free < now ? fewer(free) : same();
        return new WantedSize(pool, OptionalLong.of(wanted), reason + limited(free, wanted));
    }

    private long enough() {
        return Math.max(load(BUSY), Math.min(useful(), Math.max(drain(bounds.drain()), late())));
    }

    private long ample() {
        boolean isKept = !isTimely(2) || pool.drainSeconds(1).isEmpty();
        long fewest = Math.max(load(CALM), Math.min(useful(), drain(bounds.drain() / 2.0)));
        return isKept ? Math.max(fewest, pool.processes()) : fewest;
    }

    private long load(double share) {
        return whole(pool.busy() / (pool.slotsEach() * share));
    }

    private long drain(double seconds) {
        return whole(pool.drainSeconds(1).orElse(0) / seconds);
    }

    private long late() {
        double growth = Math.min(GROWTH_MAX, pool.latencySeconds() / bounds.latency());
        return isTimely(1) ? 0 : whole((double) pool.processes() * growth);
    }

    private long useful() {
        return whole((double) (pool.busy() + pool.waiting()) / pool.slotsEach());
    }

    /// Whether the next job has waited at most that part of what it may.
    private boolean isTimely(int part) {
        return pool.latencySeconds() * part <= bounds.latency();
    }

    private static long whole(double processes) {
        return (long) Math.ceil(processes - ROUNDING);
    }

    private String more() {
        if (load(BUSY) >= enough()) {
            return busy(pool.processes()) + ", more than " + percent(BUSY);
        }
        return drain(bounds.drain()) >= late()
                ? drained(pool.processes()) + ", more than " + bounds.drain() + " s"
                : "the next job has waited "
                        + seconds(pool.latencySeconds())
                        + ", more than "
                        + bounds.latency()
                        + " s";
    }

    private String fewer(long some) {
        return "with "
                + Math.max(1, some)
                + ", "
                + busy(Math.max(1, some))
                + " and "
                + drained(Math.max(1, some));
    }

    private String same() {
        String state = busy(pool.processes()) + ", " + drained(pool.processes());
        return state
                + ", and the next job has waited "
                + seconds(pool.latencySeconds())
                + ": within the bounds, and fewer might not be";
    }

    private String limited(long free, long wanted) {
        if (wanted == free) {
            return "";
        }
        return wanted < free
                ? "; max is " + wanted + ", and " + free + " would be right"
                : "; min is " + wanted;
    }

    private String busy(long some) {
        return percent(pool.utilisation(some).orElse(0)) + " of the slots are busy";
    }

    private String drained(long some) {
        if (pool.waiting() == 0) {
            return "no job waits";
        }
        OptionalDouble time = pool.drainSeconds(some);
        String jobs = String.format(Locale.ROOT, "%,d waiting jobs", pool.waiting());
        return time.isEmpty()
                ? jobs + " take a time that is unknown until such jobs have run"
                : jobs + " take " + seconds(time.getAsDouble());
    }

    private static String percent(double share) {
        return Math.round(share * PERCENT) + " %";
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    }
}
