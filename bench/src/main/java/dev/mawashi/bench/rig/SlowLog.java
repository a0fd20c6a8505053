package dev.mawashi.bench.rig;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;

/// The commands that took Redis long, as it notes them.
final class SlowLog {
    /// Redis does not note what takes less, so that noting costs nothing.
    private static final String SLOW_MICROS = "50";

    private static final String KEPT = "10000";

    private final BenchRedis redis;

    SlowLog(BenchRedis redis) {
        this.redis = redis;
    }

    /// Has Redis note from now on what takes it long, and forget what it has noted.
    void watch() {
        redis.call("CONFIG", "SET", "slowlog-log-slower-than", SLOW_MICROS);
        redis.call("CONFIG", "SET", "slowlog-max-len", KEPT);
        redis.call("SLOWLOG", "RESET");
    }

    /// The longest ms that a command has held Redis since then; less than 0.05 ms counts as zero.
    ///
    /// @param wanted which commands count, by their words
    double longest(Predicate<List<String>> wanted) {
        long micros = 0;
        if (redis.call("SLOWLOG", "GET", KEPT) instanceof List<?> notes) {
            for (Object note : notes) {
                // An id, a time, the duration, and the words of the command.
                List<?> fields = (List<?>) note;
                if (wanted.test(words((List<?>) fields.get(3)))) {
                    micros = Math.max(micros, (Long) fields.get(2));
                }
            }
        }
        return micros / 1e3;
    }

    private static List<String> words(List<?> command) {
        return command.stream()
                .map(word -> new String((byte[]) word, StandardCharsets.UTF_8))
                .toList();
    }
}
