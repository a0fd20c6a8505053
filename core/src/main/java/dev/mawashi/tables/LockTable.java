package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.JobLock;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The locks of jobs that must not be enqueued twice: taken with the push, freed by their owners
/// (docs/formats/mawashi.md, "Locks"). One thread's.
public final class LockTable {
    private static final List<byte[]> KEYS = List.of(Keys.bytes(Keys.LOCKS));

    /// Most locks that one script frees.
    private static final int LOCKS_MAX = 100;

    private static final Script FREE = Script.beside(LockTable.class, "free_locks.lua");
    private static final Script FREE_OF_GEM = Script.beside(LockTable.class, "free_gem_lock.lua");

    /// What the gem has beside a digest, see free_gem_lock.lua.
    private static final List<String> GEM_KEYS =
            List.of(Keys.LOCK_HOLDERS, "", ":QUEUED", ":PRIMED", Keys.LOCK_FACTS);

    private static final Script ENQUEUE = Script.beside(LockTable.class, "enqueue_unique.lua");

    private final RedisConnection connection;

    /// @param connection not closed by this
    public LockTable(RedisConnection connection) {
        this.connection = connection;
    }

    /// Frees locks, each if it is its owner's still.
    ///
    /// @return how many
    public int free(List<JobLock> locks) {
        for (int from = 0; from < locks.size(); from += LOCKS_MAX) {
            List<JobLock> some = locks.subList(from, Math.min(locks.size(), from + LOCKS_MAX));
            List<byte[]> words = new ArrayList<>();
            some.forEach(lock -> words.addAll(List.of(lock.digest(), lock.owner())));
            connection.queueEval(FREE, KEYS, words);
        }
        return locks.isEmpty() ? 0 : RedisCalls.sum(connection);
    }

    /// Frees a lock of the gem sidekiq-unique-jobs, as its own `delete_by_digest.lua` does.
    ///
    /// @param holders jids; those of them that hold it do so no more
    /// @return how many did
    public int freeOfGem(String digest, List<String> holders) {
        List<byte[]> keys = new ArrayList<>();
        for (String ending : GEM_KEYS) {
            keys.add(Keys.bytes(digest + ending));
        }
        Keys.GEM_LOCKS.forEach(set -> keys.add(Keys.bytes(set)));
        List<byte[]> words = new ArrayList<>(List.of(Keys.bytes(digest)));
        holders.forEach(jid -> words.add(Keys.bytes(jid)));
        return RedisCalls.number(connection.eval(FREE_OF_GEM, keys, words));
    }

    /// Enqueues jobs, each unless its lock is another job's.
    ///
    /// @param queue name of their queue; empty for jobs for later
    /// @param args eight words for each job, see enqueue_unique.lua
    /// @return for each job `1`, or a space and the owner of the lock that keeps it out: the owner
    ///   may be any text, `1` too
    public List<byte[]> enqueue(byte[] queue, List<byte[]> args) {
        String name = new String(queue, StandardCharsets.UTF_8);
        List<byte[]> keys =
                List.of(
                        Keys.bytes(Keys.QUEUES),
                        Keys.bytes(name.isEmpty() ? Keys.SCHEDULE : Keys.queue(name)),
                        Keys.bytes(Keys.LOCKS));
        List<byte[]> words = new ArrayList<>(List.of(queue));
        words.addAll(args);
        List<byte[]> replies = new ArrayList<>();
        List<?> all = (List<?>) Objects.requireNonNull(connection.eval(ENQUEUE, keys, words));
        for (Object reply : all) {
            replies.add(reply instanceof byte[] owner ? afterSpace(owner) : ascii("1"));
        }
        return replies;
    }

    private static byte[] afterSpace(byte[] owner) {
        byte[] word = new byte[owner.length + 1];
        word[0] = ' ';
        System.arraycopy(owner, 0, word, 1, owner.length);
        return word;
    }
}
