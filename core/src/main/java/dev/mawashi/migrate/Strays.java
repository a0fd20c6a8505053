package dev.mawashi.migrate;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.QueueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// A look at all keys for jobs in hand of processes.
record Strays(RedisConnection connection, QueueLayout layout) {
    private static final String TOGETHER = "1000";

    boolean areNone() {
        String cursor = "0";
        do {
            List<?> reply =
                    (List<?>)
                            Objects.requireNonNull(
                                    connection.call(
                                            "SCAN",
                                            cursor,
                                            "MATCH",
                                            layout.anyOfOurs(),
                                            "COUNT",
                                            TOGETHER));
            cursor = text(reply.getFirst());
            for (Object key : (List<?>) reply.getLast()) {
                String name = text(key);
                if (name.contains("}:inflight:") || name.contains("}:arrivals")) {
                    return false;
                }
            }
        } while (!cursor.equals("0"));
        return true;
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }
}
