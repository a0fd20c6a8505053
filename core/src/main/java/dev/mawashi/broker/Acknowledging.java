package dev.mawashi.broker;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.List;

/// Waits until what was enqueued over a connection is on disk, or at replicas.
///
/// Redis knows what a connection has written only for as long as the connection lives: a wait on a
/// new one would be over at once and mean nothing. So a wait counts only on the connection that
/// `begin` saw.
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

    /// Asks whether `awaitDisk` can be had; waits a millisecond at most.
    ///
    /// @throws RedisFailure of kind `REFUSED` when it cannot: Redis is older than 7.2, has no AOF,
    ///   or this user may not
    public void probeDisk() {
        waitForDisk(PROBE);
    }

    /// Waits until Redis has flushed its log to its disk.
    ///
    /// @return false when that took too long, or the connection is a new one
    public boolean awaitDisk(Duration patience) {
        return waitForDisk(patience) > 0 && isSameConnection();
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

    /// Waits until that many replicas have in memory what was enqueued.
    ///
    /// @return how many have; -1 when the connection is a new one, so that nobody knows
    public long awaitReplicas(int wanted, Duration patience) {
        Object reply =
                connection.callBlocking(
                        patience,
                        RedisConnection.ascii("WAIT"),
                        RedisConnection.ascii(Integer.toString(wanted)),
                        millis(patience));
        return isSameConnection() && reply instanceof Long count ? count : -1;
    }

    /// Whether the connection is still the one that `begin` saw.
    public boolean isSameConnection() {
        return connection.generation() == generation;
    }

    /// At least 1, since Redis takes 0 for a wait without an end.
    private static byte[] millis(Duration patience) {
        return RedisConnection.ascii(Long.toString(Math.max(1, patience.toMillis())));
    }
}
