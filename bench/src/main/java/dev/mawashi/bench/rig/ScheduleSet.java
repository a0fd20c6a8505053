package dev.mawashi.bench.rig;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.wire.Keys;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The set of scheduled jobs as the harness fills and watches it.
final class ScheduleSet {
    private static final Pattern SCRIPTS =
            Pattern.compile("latency_percentiles_usec_evalsha:.*?p99=([0-9.]+)");

    /// Takes about as long as moving a hundred jobs, and touches nothing.
    private static final String IDLE = "local n = 0 for i = 1, 20000 do n = n + i % 7 end return n";

    private final BenchRedis redis;
    private final SlowLog slow;

    ScheduleSet(BenchRedis redis) {
        this.redis = redis;
        slow = new SlowLog(redis);
    }

    /// Adds entries.
    ///
    /// @param dueMillis of a number from 0 on, since 1970
    void add(int count, LongUnaryOperator dueMillis, LongFunction<byte[]> payload) {
        List<byte[]> head = List.of(ascii("ZADD"), ascii(Keys.SCHEDULE));
        redis.push(
                head,
                0,
                count,
                number -> {
                    String due = seconds(dueMillis.applyAsLong(number));
                    return List.of(ascii(due), payload.apply(number));
                });
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%d.%03d", millis / 1_000, millis % 1_000);
    }

    long size() {
        return redis.size("ZCARD", Keys.SCHEDULE);
    }

    void clear() {
        redis.call("UNLINK", Keys.SCHEDULE);
    }

    /// Has Redis note from now on what takes it long.
    void watchSlow() {
        slow.watch();
        redis.call("CONFIG", "RESETSTAT");
    }

    /// The longest ms that anything on the set, a script or a command, has held Redis since
    /// `watchSlow`; less than 0.05 ms counts as zero.
    double slowest() {
        return slow.longest(words -> words.contains(Keys.SCHEDULE));
    }

    /// Has Redis run a script that does nothing.
    void idle() {
        redis.call("EVAL", IDLE, "0");
    }

    /// The longest ms that such a script has held Redis since `watchSlow`. The idle script loses
    /// its core as often as any other of the same length.
    double longestIdle() {
        return slow.longest(words -> words.contains(IDLE));
    }

    /// The ms that 99 of 100 scripts since `watchSlow` did not hold Redis longer than, whatever
    /// they were about; zero when there were none.
    double scriptPercentile() {
        Matcher found = SCRIPTS.matcher(redis.text("INFO", "latencystats"));
        return found.find() ? Double.parseDouble(found.group(1)) / 1e3 : 0;
    }
}
