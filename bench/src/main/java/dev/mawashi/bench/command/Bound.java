package dev.mawashi.bench.command;

import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.rig.Run;

/// Names what limited a warm server, as far as CPU time shows.
final class Bound {
    /// From this share on something counts as busy all the time. The kernel's ticks and the ends of
    /// a lap allow no higher share.
    private static final double FULL = 0.85;

    private Bound() {}

    /// @param lap of a scaling benchmark
    /// @param cores of the machine
    static String of(Run lap, int cores) {
        double server = lap.of("server_cores");
        double redis = lap.of("redis_cores");
        double busy = lap.of("busiest_thread_cores");
        String name = String.valueOf(lap.fields().get("busiest"));
        String busiest = name.equals("ruby") ? "a Ruby process" : "the thread " + name;
        String always = "%s is the bound: it is busy %.0f %% of the time";
        if (redis >= FULL && redis >= busy) {
            return text(always, "Redis's one thread", redis * 100);
        }
        if (server + redis >= FULL * cores) {
            return text(
                    "the machine's CPU is the bound: the server has %.2f and Redis %.2f of %d"
                            + " cores, %.1f and %.1f us a job",
                    server, redis, cores, lap.of("server_us_per_job"), lap.of("redis_us_per_job"));
        }
        if (busy >= FULL) {
            return text(always, busiest, busy * 100);
        }
        return text(
                "waiting is the bound, for answers and for threads to wake: the server has %.2f and"
                        + " Redis %.2f of %d cores, and %s, the busiest of it, %.0f %% of one",
                server, redis, cores, busiest, busy * 100);
    }
}
