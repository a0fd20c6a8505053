package dev.mawashi.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/// A look at all keys of a pattern, in steps, so that others get their turns at Redis between them.
/// Keys that come or go meanwhile may be in it or not, see
/// https://redis.io/docs/latest/commands/scan/.
///
/// @param pattern as Redis has it, such as `mw:*`
public record KeyScan(RedisConnection connection, String pattern) {
    private static final String START = "0";

    /// How many keys of the database a step looks at.
    private static final String STEP = "1000";

    /// Whether a key is of this kind. Ends at the first that is.
    ///
    /// @throws RedisFailure when Redis does not answer, or refuses
    public boolean any(Predicate<String> kind) {
        String cursor = START;
        do {
            Object reply = connection.call("SCAN", cursor, "MATCH", pattern, "COUNT", STEP);
            List<?> parts = (List<?>) Objects.requireNonNull(reply);
            if (((List<?>) parts.getLast()).stream().map(KeyScan::text).anyMatch(kind)) {
                return true;
            }
            cursor = text(parts.getFirst());
        } while (!cursor.equals(START));
        return false;
    }

    /// The keys, each once.
    ///
    /// @throws RedisFailure when Redis does not answer, or refuses
    public Set<String> all() {
        Set<String> keys = new LinkedHashSet<>();
        boolean _ =
                any(key -> {
                    keys.add(key);
                    return false;
                });
        return keys;
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, UTF_8);
    }
}
