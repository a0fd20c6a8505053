package dev.mawashi.acts;

import dev.mawashi.lifecycle.Loop;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.AuditEntry;
import dev.mawashi.operate.Progress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.tables.AuditLog;
import dev.mawashi.tables.Keeping;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/// Acts on many jobs, which take longer than a request may: each on a thread and a connection of
/// its own, one at a time in a place.
///
/// They are this process's: if it dies, what they have done stays done, and the record of changes
/// says that they had begun.
public final class Tasks {
    private static final int TASKS_MAX = 4;

    private final IntFunction<RedisConnection> connect;
    private final InstantSource clock;
    private final RandomGenerator chance;

    /// By their place. Guarded by this.
    private final Map<String, Running> byPlace = new ConcurrentHashMap<>();

    private int count;

    /// @param connect makes a connection, by a number
    /// @param chance makes the ids of changes
    public Tasks(
            IntFunction<RedisConnection> connect, InstantSource clock, RandomGenerator chance) {
        this.connect = connect;
        this.clock = clock;
        this.chance = chance;
    }

    /// What a task does, over its own connection.
    interface Work {
        Audit.Came perform(RedisConnection connection, Keeping keeping, Progress progress);
    }

    Audit audit(RedisConnection connection) {
        return new Audit(new AuditLog(connection), clock, chance);
    }

    /// Begins one.
    ///
    /// @param total how many jobs it will look at
    /// @throws Refusal when another is under way in its place, or too many are
    synchronized Running start(AuditEntry begun, long total, Work work) {
        requireFree(begun.place());
        Running running = new Running(begun, total);
        byPlace.put(begun.place(), running);
        RedisConnection connection = connect.apply(++count);
        Loop.platform(
                        "act",
                        () -> {
                            perform(running, connection, work);
                            return Loop.OVER;
                        })
                .start();
        return running;
    }

    /// @throws Refusal as `start`
    synchronized void requireFree(String place) {
        Running other = byPlace.get(place);
        if (other != null) {
            throw new Refusal(
                    409,
                    "an act is under way there (" + other.begun().act() + "): wait, or end it");
        }
        if (byPlace.size() >= TASKS_MAX) {
            throw new Refusal(409, TASKS_MAX + " acts are under way: wait for one to end");
        }
    }

    private void perform(Running running, RedisConnection connection, Work work) {
        AuditEntry result = null;
        RedisFailure failed = null;
        try (connection) {
            result =
                    audit(connection)
                            .perform(
                                    running.begun(),
                                    (keeping, progress) ->
                                            work.perform(
                                                    connection,
                                                    keeping,
                                                    (sum, looked) -> {
                                                        progress.told(sum, looked);
                                                        running.told(sum, looked);
                                                    }));
        } catch (RedisFailure failure) {
            failed = failure;
        } finally {
            byPlace.remove(running.begun().place());
            running.finish(result, failed);
        }
    }

    /// One that is under way, by its id.
    public Optional<Running> running(String act) {
        return byPlace.values().stream().filter(one -> one.begun().id().equals(act)).findFirst();
    }

    /// Has all of them end after the step under way.
    public void close() {
        byPlace.values().forEach(Running::end);
    }
}
