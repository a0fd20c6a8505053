package dev.mawashi.figures;

import static dev.mawashi.redis.RedisConnection.utf8;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.MetricsShape;
import dev.mawashi.wire.RunTimeBuckets;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads how long jobs waited until Mawashi's processes claimed them. One thread's.
public final class WaitReader {
    /// Minutes that are summed up, the present one among them.
    public static final int MINUTES = 15;

    private static final long MINUTE = 60;

    private final RedisConnection connection;
    private final InstantSource clock;

    public WaitReader(RedisConnection connection, InstantSource clock) {
        this.connection = connection;
        this.clock = clock;
    }

    /// The waits of the last `MINUTES`.
    public RunTimes waits() {
        Instant now = clock.instant();
        for (int minute = 0; minute < MINUTES; minute++) {
            String key = MetricsShape.waits(now.minusSeconds(minute * MINUTE)).key();
            connection.queue(utf8("HGETALL"), utf8(key));
        }
        long[] sums = new long[RunTimeBuckets.COUNT];
        for (Object reply : connection.flush()) {
            if (reply instanceof List<?> flat) {
                add(sums, flat);
            }
        }
        return RunTimes.of(sums);
    }

    private static void add(long[] sums, List<?> flat) {
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            long bucket = number(flat.get(i));
            long jobs = number(flat.get(i + 1));
            if (bucket >= 0 && bucket < sums.length && jobs > 0) {
                sums[(int) bucket] += jobs;
            }
        }
    }

    /// -1 for what is no number.
    private static long number(@Nullable Object reply) {
        String digits =
                reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : -1;
    }
}
