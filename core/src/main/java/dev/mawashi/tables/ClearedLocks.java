package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.JobLock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// Clears a queue or a set, and frees the locks of its jobs, however many they are: a part at a
/// time, from a place where they wait for that. One thread's.
///
/// Jobs leave the place once their locks are free. As long as some are there no other clear puts
/// its own there: it frees these locks first, also beside the one that goes through them. So what
/// is left when this process dies is the next clear's. After `Keeping.KEPT` without a step the
/// place is gone, and each lock that is left ends with its time.
final class ClearedLocks {
    private static final Script DROP = Script.beside(ClearedLocks.class, "drop_cleared.lua");
    private static final byte[] KEPT = ascii("" + Keeping.KEPT.toSeconds());
    private static final byte[] LIST = ascii("list");
    private static final byte[] SET = ascii("set");
    private static final int PAGE = 500;

    /// The scripts' reply where jobs of another clear are at the place.
    private static final int TAKEN = -2;

    private final RedisConnection connection;
    private final boolean isSet;
    private final byte[] place;
    private final LimitedReads reads;
    private final LockTable locks;

    /// @param isSet whether a set is cleared, else a queue
    /// @param place of cleared jobs
    ClearedLocks(RedisConnection connection, boolean isSet, byte[] place) {
        this.connection = connection;
        this.isSet = isSet;
        this.place = place;
        reads = new LimitedReads(connection);
        locks = new LockTable(connection);
    }

    /// Clears, and frees all locks.
    ///
    /// @param script that clears, see clear_queue.lua
    /// @return the number that it gives
    /// @throws RedisFailure also when the jobs are gone and not all locks are free, as it says
    long clear(Script script, List<byte[]> keys, List<byte[]> args, Keeping keeping) {
        List<byte[]> all = new ArrayList<>(keys);
        if (!keeping.isNothing()) {
            all.add(keeping.key());
        }
        List<?> reply;
        do {
            free();
            reply = (List<?>) Objects.requireNonNull(connection.eval(script, all, args));
        } while (RedisCalls.number(reply.getFirst()) == TAKEN);
        keeping.took(RedisCalls.number(reply.get(1)));
        try {
            if (RedisCalls.number(reply.get(2)) > 0) {
                free();
            }
        } catch (RedisFailure failure) {
            throw failure.after(
                    reply.getFirst()
                            + " jobs are gone, but not all of their locks are free (clear it again)");
        }
        return (Long) reply.getFirst();
    }

    /// Frees the locks of all jobs at the place, which it leaves empty.
    private void free() {
        while (true) {
            long began = System.nanoTime();
            List<byte[]> jobs = head();
            if (jobs.isEmpty()) {
                return;
            }
            locks.free(JobLock.all(jobs));
            connection.eval(
                    DROP,
                    List.of(place),
                    List.of(
                            isSet ? SET : LIST,
                            ascii("" + jobs.size()),
                            jobs.getFirst(),
                            jobs.getLast(),
                            KEPT));
            // Lets others have Redis for as long as this took.
            LockSupport.parkNanos(System.nanoTime() - began);
        }
    }

    private List<byte[]> head() {
        if (!isSet) {
            return reads.part(place, LimitedReads.Side.LEFT, 0, PAGE);
        }
        List<byte[]> scored = reads.scored(place, false, 0, PAGE);
        return IntStream.range(0, scored.size() / 2).mapToObj(i -> scored.get(2 * i)).toList();
    }
}
