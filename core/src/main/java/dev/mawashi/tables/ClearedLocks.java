package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.JobLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// Frees the locks of jobs that an operator clears all at once, however many they are: a part at a
/// time, from a place where they are kept meanwhile. Should this process die before all are freed,
/// the next clear of the same queue or set goes on; after `Keeping.KEPT` the place is gone, and
/// each lock that is left ends with its time. One thread's.
final class ClearedLocks {
    private static final int PAGE = 500;

    private final RedisConnection connection;
    private final LimitedReads reads;
    private final LockTable locks;

    ClearedLocks(RedisConnection connection) {
        this.connection = connection;
        reads = new LimitedReads(connection);
        locks = new LockTable(connection);
    }

    /// Reads a part of what was cleared.
    private interface Part {
        List<byte[]> read(long passed);
    }

    /// Frees the locks of all jobs at a key.
    ///
    /// @param isSet whether it is a sorted set, else a list
    /// @return how many jobs are there
    long free(byte[] key, boolean isSet) {
        Part part =
                isSet
                        ? passed -> members(reads.scored(key, false, passed, PAGE))
                        : passed -> reads.part(key, LimitedReads.Side.LEFT, passed, PAGE);
        long passed = 0;
        while (true) {
            long began = System.nanoTime();
            List<byte[]> jobs = part.read(passed);
            if (jobs.isEmpty()) {
                return passed;
            }
            locks.free(JobLock.all(jobs));
            passed += jobs.size();
            // Lets others have Redis for as long as this took.
            LockSupport.parkNanos(System.nanoTime() - began);
        }
    }

    /// The same at a place that nobody needs then.
    void end(byte[] place, boolean isSet) {
        if (free(place, isSet) > 0) {
            connection.call(ascii("UNLINK"), place);
        }
    }

    private static List<byte[]> members(List<byte[]> scored) {
        List<byte[]> members = new ArrayList<>();
        for (int i = 0; i < scored.size(); i += 2) {
            members.add(scored.get(i));
        }
        return members;
    }
}
