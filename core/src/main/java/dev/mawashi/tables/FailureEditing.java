package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.ResqueKeys;
import java.util.Collections;
import java.util.List;

/// An operator's changes to Resque's failure lists. A record is known by its exact bytes; one that
/// somebody else took meanwhile is skipped. One thread's.
public final class FailureEditing implements AutoCloseable {
    private static final Script REQUEUE = Script.beside(FailureEditing.class, "requeue_failed.lua");
    private static final Script DELETE = Script.beside(FailureEditing.class, "delete_jobs.lua");
    private static final byte[] NOTHING_KEPT = ascii("0");

    private final RedisConnection connection;
    private final ResqueKeys keys;

    public FailureEditing(RedisConnection connection, ResqueKeys keys) {
        this.connection = connection;
        this.keys = keys;
    }

    /// A record whose job is to run again.
    ///
    /// @param record its bytes in the list
    /// @param place where it stood there, 0 for the oldest
    /// @param changed what the list gets in its place
    /// @param payload the job's bytes for the queue
    public record Requeue(
            byte[] record, long place, byte[] changed, String queue, byte[] payload) {}

    /// Enqueues jobs of a list anew.
    ///
    /// @param list its name, such as `failed`
    /// @return how many of the records were there
    public int requeue(String list, List<Requeue> jobs) {
        for (Requeue job : jobs) {
            connection.queueEval(
                    REQUEUE,
                    List.of(
                            Keys.bytes(keys.failureList(list)),
                            Keys.bytes(keys.queues()),
                            Keys.bytes(keys.layout().queue(job.queue()))),
                    List.of(
                            Keys.bytes(job.queue()),
                            job.record(),
                            ascii("" + job.place()),
                            job.changed(),
                            job.payload()));
        }
        return jobs.isEmpty() ? 0 : RedisCalls.sum(connection);
    }

    /// Removes records of a list. Redis walks through it once, however many they are.
    ///
    /// @param records where they stood, 0 for the oldest, the oldest first; at most
    ///   `QueueEditing.JOBS_MAX`
    /// @return how many of them were there
    public int remove(String list, List<QueueEditing.Waiting> records) {
        List<byte[]> both = List.of(Keys.bytes(keys.failureList(list)), Keys.bytes(Keys.LOCKS));
        // A failed job has no lock any more.
        List<byte[]> words = QueueEditing.words(false, new byte[0]);
        return new Taking(connection, DELETE, both, NOTHING_KEPT, Taking.Reach.NEAR)
                .run(records, Collections.nCopies(records.size(), words));
    }

    @Override
    public void close() {
        connection.close();
    }
}
