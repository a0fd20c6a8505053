package dev.mawashi.tables;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Commands that go to Redis together. The first that it refuses is thrown.
final class RedisCalls {
    private RedisCalls() {}

    static void queue(RedisConnection connection, String... words) {
        connection.queue(words(words));
    }

    static byte[][] words(String... words) {
        byte[][] command = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            command[i] = RedisConnection.utf8(words[i]);
        }
        return command;
    }

    static List<@Nullable Object> flush(RedisConnection connection) {
        List<@Nullable Object> replies = connection.flush();
        for (Object reply : replies) {
            if (reply instanceof RedisFailure refusal) {
                throw refusal;
            }
        }
        return replies;
    }

    /// Adds up the replies, each of which is a number.
    static int sum(RedisConnection connection) {
        int sum = 0;
        for (Object reply : flush(connection)) {
            sum += number(reply);
        }
        return sum;
    }

    static int number(@Nullable Object reply) {
        return ((Long) Objects.requireNonNull(reply)).intValue();
    }
}
