package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What an operator does to queues. One thread's.
public final class QueueEditing implements AutoCloseable {
    private static final Script CLEAR = Script.beside(QueueEditing.class, "clear_queue.lua");
    private static final byte[] LREM = ascii("LREM");
    private static final byte[] ONE_FROM_THE_LEFT = ascii("1");

    private final RedisConnection connection;

    public QueueEditing(RedisConnection connection) {
        this.connection = connection;
    }

    /// Removes waiting jobs, each known by its exact bytes. Redis walks the list for each of them.
    ///
    /// @return how many were there
    public int delete(String queue, List<byte[]> payloads) {
        byte[] key = Keys.bytes(Keys.queue(queue));
        for (byte[] payload : payloads) {
            connection.queue(LREM, key, ONE_FROM_THE_LEFT, payload);
        }
        return payloads.isEmpty() ? 0 : Commands.sum(connection);
    }

    /// Removes a job that lies beside its queue: it woke a process and nobody has claimed it yet,
    /// or it is to run alone.
    ///
    /// @return how often it was there
    public int deleteAside(String queue, byte[] payload) {
        connection.queue(
                LREM,
                Keys.bytes(QueueLayout.SIDEKIQ.sharedArrivals(queue)),
                ONE_FROM_THE_LEFT,
                payload);
        connection.queue(LREM, Keys.bytes(Keys.suspects(queue)), ONE_FROM_THE_LEFT, payload);
        return Commands.sum(connection);
    }

    /// Removes all waiting jobs and the queue's name; jobs in flight stay.
    ///
    /// @return how many waited; empty where there is no such queue
    public OptionalLong clear(String queue) {
        List<String> keys =
                List.of(
                        Keys.QUEUES,
                        Keys.queue(queue),
                        QueueLayout.SIDEKIQ.sharedArrivals(queue),
                        Keys.suspects(queue));
        long waited =
                number(
                        connection.eval(
                                CLEAR,
                                keys.stream().map(Keys::bytes).toList(),
                                List.of(Keys.bytes(queue))));
        return waited < 0 ? OptionalLong.empty() : OptionalLong.of(waited);
    }

    /// Nobody claims from the queue until it is unpaused.
    ///
    /// @return false when it was paused before
    public boolean pause(String queue) {
        return number(connection.call("SADD", Keys.PAUSED, queue)) > 0;
    }

    /// Ends a pause.
    ///
    /// @return false when there was none
    public boolean unpause(String queue) {
        return number(connection.call("SREM", Keys.PAUSED, queue)) > 0;
    }

    private static long number(@Nullable Object reply) {
        return (Long) Objects.requireNonNull(reply);
    }

    @Override
    public void close() {
        connection.close();
    }
}
