package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.JobLock;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// An operator's changes to queues. Jobs that are deleted have their locks freed in the same step,
/// those of a clear right after it, see `ClearedLocks`. One thread's.
public final class QueueEditing implements AutoCloseable {
    private static final Script CLEAR = Script.beside(QueueEditing.class, "clear_queue.lua");
    private static final Script DELETE = Script.beside(QueueEditing.class, "delete_jobs.lua");
    private static final Script MOVE = Script.beside(QueueEditing.class, "move_jobs.lua");
    private static final byte[] YES = ascii("1");
    private static final byte[] NO = ascii("0");

    /// Most jobs in one call, so that no script holds Redis for long.
    public static final int JOBS_MAX = 500;

    private final RedisConnection connection;
    private final Taking.Reach reach;

    public QueueEditing(RedisConnection connection) {
        this(connection, Taking.Reach.NEAR);
    }

    private QueueEditing(RedisConnection connection, Taking.Reach reach) {
        this.connection = connection;
        this.reach = reach;
    }

    /// The same for jobs that were chosen one by one. It takes them wherever they are by now: what
    /// is not near its place is searched for in all of the queue, a part at a time.
    public QueueEditing everywhere() {
        return new QueueEditing(connection, Taking.Reach.ALL);
    }

    /// A waiting job as it was read.
    ///
    /// @param place see `JobEntry`; others may have come and gone since
    public record Waiting(byte[] payload, long place) {}

    /// A job on its way to another queue.
    ///
    /// @param payload its bytes in this queue
    /// @param changed its bytes for the other one
    public record Move(byte[] payload, byte[] changed) {}

    /// Removes waiting jobs. Redis walks through its queue once, however many they are.
    ///
    /// @param jobs at most `JOBS_MAX`, in the order in which they were read
    /// @return how many were there
    public int delete(String queue, List<Waiting> jobs, Keeping keeping) {
        List<byte[]> keys =
                new ArrayList<>(List.of(Keys.bytes(Keys.queue(queue)), Keys.bytes(Keys.LOCKS)));
        int kept = keeping.take(jobs.stream().map(Waiting::payload).toList());
        if (kept > 0) {
            keys.add(keeping.key());
        }
        List<List<byte[]>> last = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            last.add(words(i < kept, jobs.get(i).payload()));
        }
        return new Taking(connection, DELETE, keys, ascii("" + Keeping.KEPT.toSeconds()), reach)
                .run(jobs, last);
    }

    /// What delete_jobs.lua gets of a job behind its bytes and its place.
    static List<byte[]> words(boolean isKept, byte[] payload) {
        List<byte[]> words = new ArrayList<>(List.of(isKept ? YES : NO));
        words.addAll(JobLock.words(payload));
        return words;
    }

    /// Moves waiting jobs to another queue, whose last they become. Redis walks through their queue
    /// once, however many they are.
    ///
    /// @param jobs at most `JOBS_MAX`, the next to run first
    /// @param changed the bytes of each for the other queue
    /// @return how many were there
    /// @throws IllegalArgumentException when it is the same queue
    public int move(String queue, String other, List<Waiting> jobs, List<byte[]> changed) {
        return new Taking(connection, MOVE, keysToMove(queue, other), Keys.bytes(other), reach)
                .run(jobs, changed.stream().map(List::of).toList());
    }

    private static List<byte[]> keysToMove(String queue, String other) {
        if (queue.equals(other)) {
            throw new IllegalArgumentException("jobs of queue " + queue + " are there");
        }
        return List.of(
                Keys.bytes(Keys.queue(queue)),
                Keys.bytes(Keys.queue(other)),
                Keys.bytes(Keys.QUEUES));
    }

    /// Removes a job that lies beside its queue: it woke a process and nobody has claimed it yet,
    /// or it is to run alone.
    ///
    /// @return how often it was there
    public int deleteAside(String queue, byte[] payload) {
        int times = 0;
        for (String list :
                List.of(QueueLayout.SIDEKIQ.sharedArrivals(queue), Keys.suspects(queue))) {
            List<byte[]> keys = List.of(Keys.bytes(list), Keys.bytes(Keys.LOCKS));
            times +=
                    new Taking(connection, DELETE, keys, NO, Taking.Reach.ALL)
                            .run(List.of(new Waiting(payload, 0)), List.of(words(false, payload)));
        }
        return times;
    }

    /// Removes all waiting jobs and the queue's name; jobs in flight stay.
    ///
    /// @return how many waited; empty where there is no such queue
    public OptionalLong clear(String queue, Keeping keeping) {
        byte[] place = Keys.bytes(Keys.cleared(Keys.queue(queue)));
        List<byte[]> keys =
                List.of(
                        Keys.bytes(Keys.QUEUES),
                        Keys.bytes(Keys.queue(queue)),
                        Keys.bytes(QueueLayout.SIDEKIQ.sharedArrivals(queue)),
                        Keys.bytes(Keys.suspects(queue)),
                        Keys.bytes(Keys.LOCKS),
                        place);
        List<byte[]> args = new ArrayList<>(Keeping.limits());
        args.add(Keys.bytes(queue));
        long waited = new ClearedLocks(connection, false, place).clear(CLEAR, keys, args, keeping);
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
