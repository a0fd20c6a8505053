package dev.mawashi.server;

import dev.mawashi.answer.Answers;
import dev.mawashi.children.ChildFailure;
import dev.mawashi.config.RestartChoice;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.ChildState;
import dev.mawashi.fleet.RestartView;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The restarts of this server, one at a time: new code beside the old. Each has a thread of its
/// own until the old code has ended. Safe for any thread.
final class Restarts {
    private static final System.Logger LOG = System.getLogger(Restarts.class.getName());

    /// As a stop gives it.
    private static final Duration CUT_PATIENCE = Duration.ofSeconds(15);

    private final Apps apps;
    private final List<Capsule> capsules;
    private volatile RestartChoice limits;
    private final InstantSource clock;
    private final FreeMemory memory = new FreeMemory();

    /// When each generation got its first jobs, of those that have not ended.
    private final NavigableMap<Integer, Instant> since = new TreeMap<>();

    private RestartView.State state = RestartView.State.NONE;
    private String reason = "";

    Restarts(Apps apps, List<Capsule> capsules, RestartChoice limits, InstantSource clock) {
        this.apps = apps;
        this.capsules = List.copyOf(capsules);
        this.limits = limits;
        this.clock = clock;
        since.put(apps.generation(), clock.instant());
    }

    RestartChoice limits() {
        return limits;
    }

    /// Goes by these limits from the next restart on.
    void limit(RestartChoice present) {
        limits = present;
    }

    /// Begins one.
    ///
    /// @return without the generations that live, which take a moment to look at
    /// @throws Answers.Unanswerable when that cannot be now; nothing is changed then
    synchronized RestartView begin() {
        int next = apps.generation() + 1;
        if (capsules.stream().allMatch(Capsule::isQuiet)) {
            throw new Answers.Unanswerable(
                    "it is quiet or stopping, and runs no new jobs: start another process");
        }
        String obstacle = apps.restartObstacle();
        if (!obstacle.isEmpty()) {
            throw new Answers.Unanswerable(obstacle);
        }
        if (state == RestartView.State.BOOTING) {
            throw new Answers.Unanswerable(
                    "a restart is under way: wait until generation "
                            + next
                            + " is ready or has failed");
        }
        requireMemory();
        state = RestartView.State.BOOTING;
        LOG.log(Level.INFO, "restart: generation " + next + " boots");
        Thread.ofVirtual().name("mawashi-restart-1").start(this::run);
        return new RestartView(state, next - 1, "", limits.bootLimit(), List.of());
    }

    private void requireMemory() {
        Integer wanted = limits.memoryMib();
        OptionalLong free = memory.mib();
        if (wanted != null && free.isPresent() && free.getAsLong() < wanted) {
            throw new Answers.Unanswerable(
                    ("%d MB of memory are free, restart.memory in config/mawashi.yml wants %d:"
                                    + " give it more, or wait until jobs end")
                            .formatted(free.getAsLong(), wanted));
        }
    }

    private void run() {
        CompletableFuture<Void> oldEnd;
        try {
            oldEnd = apps.renew(limits.bootLimit());
        } catch (ChildFailure failed) {
            fail(String.valueOf(failed.getMessage()));
            return;
        } catch (RuntimeException | Error defect) {
            fail(defect.toString());
            return;
        }
        int old = taken();
        try {
            limit(old, oldEnd);
            oldEnd.join();
            ended(old);
        } catch (RuntimeException | Error defect) {
            // The new code has the jobs all the same.
            LOG.log(Level.ERROR, "defect in restart", defect);
        }
    }

    /// Has the runs of old code end once their time is over.
    private void limit(int old, CompletableFuture<Void> oldEnd) {
        Duration limit = limits.oldLimit();
        if (limit == null || hasEnded(oldEnd, limit)) {
            return;
        }
        LOG.log(
                Level.INFO,
                "restart: jobs of generation "
                        + old
                        + " run for longer than restart.old_limit: they go back to their queue");
        // First, as at a stop: one that rescues its interrupt would count as done.
        capsules.forEach(capsule -> capsule.requeueUpTo(old));
        apps.interruptUpTo(old);
        if (!hasEnded(oldEnd, CUT_PATIENCE)) {
            apps.endUpTo(old);
        }
    }

    private static boolean hasEnded(CompletableFuture<Void> end, Duration patience) {
        try {
            Void _ = end.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException | TimeoutException _) {
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /// @return the generation before
    private synchronized int taken() {
        state = RestartView.State.READY;
        reason = "";
        int present = apps.generation();
        since.put(present, clock.instant());
        LOG.log(Level.INFO, "restart: generation " + present + " takes the jobs");
        return present - 1;
    }

    private synchronized void ended(int old) {
        since.remove(old);
        LOG.log(Level.INFO, "restart: generation " + old + " has ended");
    }

    private synchronized void fail(String why) {
        int present = apps.generation();
        state = RestartView.State.FAILED;
        reason = why;
        LOG.log(
                Level.WARNING,
                "restart: generation {0} failed, generation {1} goes on: {2}",
                Integer.toString(present + 1),
                Integer.toString(present),
                why.lines().findFirst().orElse(""));
    }

    /// What has come of the last one, and the generations whose processes live.
    RestartView view() {
        SortedMap<Integer, Set<Long>> pids = new TreeMap<>();
        SortedMap<Integer, Integer> busy = new TreeMap<>();
        for (Capsule capsule : capsules) {
            for (ChildState child : capsule.children()) {
                pids.computeIfAbsent(child.generation(), _ -> new HashSet<>()).add(child.pid());
                busy.merge(child.generation(), child.busy(), Integer::sum);
            }
        }
        synchronized (this) {
            List<RestartView.Generation> living =
                    pids.entrySet().stream()
                            .map(one ->
                                    new RestartView.Generation(
                                            one.getKey(),
                                            one.getValue().size(),
                                            busy.getOrDefault(one.getKey(), 0),
                                            Optional.ofNullable(since.get(one.getKey()))))
                            .toList();
            return new RestartView(state, apps.generation(), reason, limits.bootLimit(), living);
        }
    }
}
