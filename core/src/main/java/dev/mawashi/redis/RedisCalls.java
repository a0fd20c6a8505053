package dev.mawashi.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Calls that need more than one step of a connection. The first refusal is thrown.
public final class RedisCalls {
    private RedisCalls() {}

    /// In place of a reply that was too long to be read.
    public record Unread() {}

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

    /// As `RedisConnection.callBlocking`, for a reply that may be longer than is wanted here.
    ///
    /// @param bytesMax longest string that is read
    /// @return `Unread` for a longer one; the connection is gone then
    public static @Nullable Object callBlocking(
            RedisConnection connection, Duration wait, int bytesMax, byte[]... command) {
        connection.open().limitNext(bytesMax);
        try {
            return connection.callBlocking(wait, command);
        } catch (RedisFailure failure) {
            if (failure.getCause() instanceof BoundedConnection.TooLong) {
                return new Unread();
            }
            throw failure;
        }
    }

    /// A reply that is a number.
    public static int number(@Nullable Object reply) {
        return ((Long) Objects.requireNonNull(reply)).intValue();
    }
}
