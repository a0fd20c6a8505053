package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What an operator does to queues. One thread's.
public final class QueueEditing implements AutoCloseable {
    private static final Script CLEAR = Script.beside(QueueEditing.class, "clear_queue.lua");
    private static final Script TAKE = Script.beside(QueueEditing.class, "take_job.lua");
    private static final Script MOVE = Script.beside(QueueEditing.class, "move_jobs.lua");
    private static final byte[] LREM = ascii("LREM");

    /// `LREM` and its like look from the left: the newest first.
    private static final byte[] NEWEST_FIRST = ascii("1");

    private static final byte[] NEXT_FIRST = ascii("-1");

    /// Most jobs that move in one call, so that no script holds Redis for long.
    public static final int JOBS_MAX = 100;

    private final RedisConnection connection;

    public QueueEditing(RedisConnection connection) {
        this.connection = connection;
    }

    /// A job on its way to another queue.
    ///
    /// @param payload its bytes in this queue
    /// @param changed its bytes for the other one
    public record Move(byte[] payload, byte[] changed) {}

    /// Where Redis looks for a job first.
    public enum From {
        NEWEST,
        NEXT_TO_RUN;

        private byte[] count() {
            return this == NEWEST ? NEWEST_FIRST : NEXT_FIRST;
        }
    }

    /// Removes waiting jobs, each known by its exact bytes. Redis walks the list for each of them.
    ///
    /// @param payloads in the order of `from`
    /// @return how many were there
    public int delete(String queue, List<byte[]> payloads, From from, Keeping keeping) {
        byte[] key = Keys.bytes(Keys.queue(queue));
        int kept = keeping.take(payloads);
        for (byte[] payload : payloads.subList(0, kept)) {
            connection.queueEval(
                    TAKE,
                    List.of(key, keeping.key()),
                    List.of(ascii("" + Keeping.KEPT.toSeconds()), from.count(), payload));
        }
        for (byte[] payload : payloads.subList(kept, payloads.size())) {
            connection.queue(LREM, key, from.count(), payload);
        }
        return payloads.isEmpty() ? 0 : Commands.sum(connection);
    }

    /// Moves waiting jobs to another queue, whose last they become. Redis walks the list for each,
    /// from the next to run on.
    ///
    /// @param moves at most `JOBS_MAX`, the next to run first
    /// @return how many were there
    /// @throws IllegalArgumentException when it is the same queue
    public int move(String queue, String other, List<Move> moves) {
        return move(queue, other, "back", moves);
    }

    /// Moves them back: to the head, so that they run next.
    ///
    /// @param moves at most `JOBS_MAX`, the next to run last
    /// @return how many were there
    public int moveToHead(String queue, String other, List<Move> moves) {
        return move(queue, other, "head", moves);
    }

    private int move(String queue, String other, String end, List<Move> moves) {
        if (queue.equals(other)) {
            throw new IllegalArgumentException("jobs of queue " + queue + " are there");
        }
        List<byte[]> args = new ArrayList<>(List.of(Keys.bytes(other), ascii(end)));
        for (Move move : moves) {
            args.add(move.payload());
            args.add(move.changed());
        }
        List<byte[]> keys =
                List.of(
                        Keys.bytes(Keys.queue(queue)),
                        Keys.bytes(Keys.queue(other)),
                        Keys.bytes(Keys.QUEUES));
        return moves.isEmpty() ? 0 : Commands.number(connection.eval(MOVE, keys, args));
    }

    /// Removes a job that lies beside its queue: it woke a process and nobody has claimed it yet,
    /// or it is to run alone.
    ///
    /// @return how often it was there
    public int deleteAside(String queue, byte[] payload) {
        connection.queue(
                LREM, Keys.bytes(QueueLayout.SIDEKIQ.sharedArrivals(queue)), NEWEST_FIRST, payload);
        connection.queue(LREM, Keys.bytes(Keys.suspects(queue)), NEWEST_FIRST, payload);
        return Commands.sum(connection);
    }

    /// Removes all waiting jobs and the queue's name; jobs in flight stay.
    ///
    /// @return how many waited; empty where there is no such queue
    public OptionalLong clear(String queue, Keeping keeping) {
        List<byte[]> keys =
                new ArrayList<>(
                        List.of(
                                Keys.bytes(Keys.QUEUES),
                                Keys.bytes(Keys.queue(queue)),
                                Keys.bytes(QueueLayout.SIDEKIQ.sharedArrivals(queue)),
                                Keys.bytes(Keys.suspects(queue))));
        if (!keeping.isNothing()) {
            keys.add(keeping.key());
        }
        List<byte[]> args = new ArrayList<>(Keeping.limits());
        args.add(Keys.bytes(queue));
        List<?> reply = (List<?>) Objects.requireNonNull(connection.eval(CLEAR, keys, args));
        keeping.took(Commands.number(reply.get(1)));
        long waited = number(reply.get(0));
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
