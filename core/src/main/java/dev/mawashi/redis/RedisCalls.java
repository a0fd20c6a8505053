package dev.mawashi.redis;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Commands that go to Redis together. The first that it refuses is thrown.
public final class RedisCalls {
    private RedisCalls() {}

    public static void queue(RedisConnection connection, String... words) {
        connection.queue(words(words));
    }

    public static byte[][] words(String... words) {
        byte[][] command = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            command[i] = RedisConnection.utf8(words[i]);
        }
        return command;
    }

    public static List<@Nullable Object> flush(RedisConnection connection) {
        List<@Nullable Object> replies = connection.flush();
        for (Object reply : replies) {
            if (reply instanceof RedisFailure refusal) {
                throw refusal;
            }
        }
        return replies;
    }

    /// Adds up the replies, each of which is a number.
    public static int sum(RedisConnection connection) {
        int sum = 0;
        for (Object reply : flush(connection)) {
            sum += number(reply);
        }
        return sum;
    }

    /// A reply that is a number.
    public static int number(@Nullable Object reply) {
        return ((Long) Objects.requireNonNull(reply)).intValue();
    }
}
