package dev.mawashi.bench;

import com.google.errorprone.annotations.FormatMethod;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What a warm server did with a queue that was full from one moment to the next.
///
/// @param jobs that it did
/// @param bytes of their payloads
/// @param seconds from that moment to the end of the last of them
/// @param serverSeconds CPU time of the servers and their children
/// @param redisSeconds CPU time of Redis
/// @param allocatedBytes by the servers' JVMs
/// @param busiest what else was on a core for the largest part of the time
record Lap(
        int jobs,
        long bytes,
        double seconds,
        double serverSeconds,
        double redisSeconds,
        long allocatedBytes,
        Part busiest) {
    /// From here on something counts as busy all the time: the ticks that CPU time is counted in
    /// and the ends of a lap leave no more.
    static final double FULL = 0.85;

    static final List<Column<Lap>> COLUMNS =
            List.of(
                    new Column<>("jobs/s", "jobs_per_second", 0, Lap::rate),
                    new Column<>("MB/s", "megabytes_per_second", 1, lap -> lap.byteRate() / 1e6),
                    new Column<>("server us/job", "server_us_per_job", 2, Lap::serverMicros),
                    new Column<>("Redis us/job", "redis_us_per_job", 2, Lap::redisMicros),
                    new Column<>("bytes/job", "allocated_bytes_per_job", 0, Lap::allocated),
                    new Column<>("server cores", "server_cores", 2, Lap::serverCores),
                    new Column<>("Redis cores", "redis_cores", 2, Lap::redisCores),
                    new Column<>(
                            "busiest thread",
                            "busiest_thread_cores",
                            2,
                            lap -> lap.busiest().cores()));

    /// What takes one core at most: a thread of a JVM, or a Ruby process.
    ///
    /// @param cores from 0 to 1
    record Part(String name, double cores) {
        /// Whichever has used the most.
        ///
        /// @param before seconds of each by number and name
        static Part busiest(Map<String, Double> before, Map<String, Double> after, double seconds) {
            Part busiest = new Part("none", 0);
            for (Map.Entry<String, Double> one : after.entrySet()) {
                double cores = (one.getValue() - before.getOrDefault(one.getKey(), 0.0)) / seconds;
                if (cores > busiest.cores()) {
                    String name = one.getKey().substring(one.getKey().indexOf(' ') + 1);
                    busiest = new Part(name, cores);
                }
            }
            return busiest;
        }

        private String words() {
            return name.equals("ruby") ? "a Ruby process" : "the thread " + name;
        }
    }

    double rate() {
        return jobs / seconds;
    }

    double byteRate() {
        return bytes / seconds;
    }

    double serverMicros() {
        return serverSeconds * 1e6 / jobs;
    }

    double redisMicros() {
        return redisSeconds * 1e6 / jobs;
    }

    double allocated() {
        return (double) allocatedBytes / jobs;
    }

    double serverCores() {
        return serverSeconds / seconds;
    }

    double redisCores() {
        return redisSeconds / seconds;
    }

    String summary() {
        return String.format(
                Locale.ROOT, "%,d jobs in %.2f s, %,.0f jobs/s", jobs, seconds, rate());
    }

    /// What kept it from being faster, as far as CPU time tells.
    ///
    /// @param cores of the machine
    String bound(int cores) {
        if (redisCores() >= FULL && redisCores() >= busiest.cores()) {
            return text(
                    "Redis's one thread is the bound: it is busy %.0f %% of the time",
                    redisCores() * 100);
        }
        double used = serverCores() + redisCores();
        if (busiest.cores() >= FULL && used < FULL * cores) {
            return text(
                    "%s is the bound: it is busy %.0f %% of the time",
                    busiest.words(), busiest.cores() * 100);
        }
        if (used >= FULL * cores) {
            return text(
                    "the machine's CPU is the bound: the server has %.2f and Redis %.2f of %d"
                            + " cores, %.1f and %.1f us a job",
                    serverCores(), redisCores(), cores, serverMicros(), redisMicros());
        }
        return text(
                "waiting is the bound, for answers and for threads to wake: the server has %.2f and"
                        + " Redis %.2f of %d cores, and %s, the busiest of it, %.0f %% of one",
                serverCores(), redisCores(), cores, busiest.words(), busiest.cores() * 100);
    }

    @FormatMethod
    private static String text(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
