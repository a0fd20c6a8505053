package dev.mawashi.acts;

import dev.mawashi.lifecycle.Loop;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.AuditEntry;
import dev.mawashi.operate.Progress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.tables.AuditLog;
import dev.mawashi.tables.Keeping;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// Acts on many jobs, which take longer than a request may: each on a thread and a connection of
/// its own, one at a time in a place.
///
/// They are this process's: if it dies, what they have done stays done, and the record of changes
/// says that they had begun.
public final class Tasks {
    private static final System.Logger LOG = System.getLogger(Tasks.class.getName());
    private static final int TASKS_MAX = 4;

    private final IntFunction<RedisConnection> connect;
    private final InstantSource clock;
    private final RandomGenerator chance;

    /// By their place. An entry is added under this; any thread reads and removes.
    private final Map<String, RunningAct> byPlace = new ConcurrentHashMap<>();

    /// Places of those that are being recorded. Guarded by this.
    private final Set<String> beginning = new HashSet<>();

    private int count;

    /// @param connect makes a connection, by a number
    /// @param chance makes the ids of changes
    public Tasks(
            IntFunction<RedisConnection> connect, InstantSource clock, RandomGenerator chance) {
        this.connect = connect;
        this.clock = clock;
        this.chance = chance;
    }

    /// Does a task's work, over its own connection.
    interface Work {
        Audit.Came perform(RedisConnection connection, Keeping keeping, Progress progress);
    }

    Audit audit(RedisConnection connection) {
        return new Audit(new AuditLog(connection), clock, chance);
    }

    /// Begins one. Its place is its own before it is recorded, so that the record has no act that
    /// never was.
    ///
    /// @param begins records it
    /// @throws Refusal when another is under way in its place, or too many are
    RunningAct start(String place, Supplier<RunningAct> begins, Work work) {
        take(place);
        RunningAct running;
        RedisConnection connection;
        try {
            running = begins.get();
            connection = begin(running);
        } finally {
            leave(place);
        }
        Loop loop =
                Loop.platform(
                        "act",
                        () -> {
                            perform(running, connection, work);
                            return Loop.OVER;
                        });
        try {
            loop.start();
        } catch (Error noThread) {
            perform(
                    running,
                    connection,
                    (_, _, _) -> {
                        throw noThread;
                    });
        }
        return running;
    }

    private synchronized void take(String place) {
        requireFree(place);
        beginning.add(place);
    }

    private synchronized RedisConnection begin(RunningAct running) {
        RedisConnection connection = connect.apply(++count);
        byPlace.put(running.begun().place(), running);
        return connection;
    }

    private synchronized void leave(String place) {
        beginning.remove(place);
    }

    /// @throws Refusal as `start`
    synchronized void requireFree(String place) {
        RunningAct other = byPlace.get(place);
        if (other != null) {
            throw new ActRefusal(
                    409,
                    "an act is under way there (" + other.begun().act() + "): wait, or end it");
        }
        if (beginning.contains(place)) {
            throw new ActRefusal(409, "an act is about to begin there: wait");
        }
        if (byPlace.size() + beginning.size() >= TASKS_MAX) {
            throw new ActRefusal(409, TASKS_MAX + " acts are under way: wait for one to end");
        }
    }

    private void perform(RunningAct running, RedisConnection connection, Work work) {
        AuditEntry result = null;
        RuntimeException failed = null;
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
                                                        progress.reached(sum, looked);
                                                        running.reached(sum, looked);
                                                    }));
        } catch (RedisFailure failure) {
            failed = failure;
        } catch (RuntimeException | Error defect) {
            failed = new IllegalStateException("the act failed: " + defect, defect);
            LOG.log(Level.ERROR, "defect in an act on " + running.begun().place(), defect);
        } finally {
            byPlace.remove(running.begun().place());
            running.finish(result, failed);
        }
    }

    /// One that is under way, by its id.
    public Optional<RunningAct> running(String act) {
        return byPlace.values().stream().filter(one -> one.begun().id().equals(act)).findFirst();
    }

    /// Has all of them end after the step under way.
    public void close() {
        byPlace.values().forEach(RunningAct::end);
    }

    /// The same, and waits until each is recorded.
    ///
    /// @param patience for one of them; a step takes less
    public void close(Duration patience) {
        List<RunningAct> running = List.copyOf(byPlace.values());
        close();
        for (RunningAct one : running) {
            try {
                one.await(patience);
            } catch (RuntimeException _) {
                // Its record says that it failed, or that it began.
            }
        }
    }
}
