package dev.mawashi.broker;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.List;

/// Waits until what was enqueued over a connection is on disk, or at replicas.
///
/// Redis knows what a connection has written only for as long as it lives: on a new one the wait
/// would be over at once and mean nothing. So each wait fails when the connection is not the one
/// that `begin` saw.
public final class Acknowledging {
    private static final Duration PROBE = Duration.ofMillis(1);

    private final RedisConnection connection;
    private int generation;

    Acknowledging(RedisConnection connection) {
        this.connection = connection;
    }

    /// To be called before the first job is enqueued.
    public void begin() {
        connection.call("PING");
        generation = connection.generation();
    }

    /// Asks whether `disk` can be had, without waiting.
    ///
    /// @throws RedisFailure of kind `REFUSED` when it cannot: Redis is older than 7.2, has no AOF,
    ///   or this user may not
    public void probeDisk() {
        waitForDisk(PROBE);
    }

    /// Waits until Redis has flushed its log to its disk.
    ///
    /// @return false when that took too long, or the connection was lost
    public boolean disk(Duration patience) {
        return waitForDisk(patience) > 0 && isSame();
    }

    private long waitForDisk(Duration patience) {
        Object reply =
                connection.callBlocking(
                        patience,
                        RedisConnection.ascii("WAITAOF"),
                        RedisConnection.ascii("1"),
                        RedisConnection.ascii("0"),
                        millis(patience));
        return reply instanceof List<?> counts && counts.getFirst() instanceof Long local
                ? local
                : 0;
    }

    /// Waits until that many replicas have it in memory.
    ///
    /// @return how many have; -1 when the connection was lost, so that nobody knows
    public long replicas(int wanted, Duration patience) {
        Object reply =
                connection.callBlocking(
                        patience,
                        RedisConnection.ascii("WAIT"),
                        RedisConnection.ascii(Integer.toString(wanted)),
                        millis(patience));
        return isSame() && reply instanceof Long count ? count : -1;
    }

    /// Whether the connection is still the one that `begin` saw.
    public boolean isSame() {
        return connection.generation() == generation;
    }

    /// At least one: for Redis 0 has no end.
    private static byte[] millis(Duration patience) {
        return RedisConnection.ascii(Long.toString(Math.max(1, patience.toMillis())));
    }
}
