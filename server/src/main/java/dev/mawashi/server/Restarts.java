package dev.mawashi.server;

import dev.mawashi.answer.Answers;
import dev.mawashi.children.ChildFailure;
import dev.mawashi.config.RestartChoice;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.ChildState;
import dev.mawashi.fleet.RestartView;
import dev.mawashi.ruby.AppSettings;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
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
import java.util.function.Consumer;

/// The restarts of this server, one at a time: new code beside the old, in Ruby processes or, where
/// code is in this process itself, in another one that takes over. Each has a thread of its own
/// until the old code has ended. Safe for any thread.
final class Restarts {
    private static final System.Logger LOG = System.getLogger(Restarts.class.getName());

    /// As a stop gives it.
    private static final Duration CUT_PATIENCE = Duration.ofSeconds(15);

    private static final String OVER =
            "restart: jobs of generation %d run for longer than restart.old_limit: they go back to"
                    + " their queue";

    private final Apps apps;
    private final List<Capsule> capsules;
    private volatile RestartChoice limits;
    private final InstantSource clock;
    private final Standing standing;
    private final Handover handover;
    private final FreeMemory memory = new FreeMemory();

    /// When each generation got its first jobs, of those that have not ended.
    private final NavigableMap<Integer, Instant> since = new TreeMap<>();

    private final Runnable onStop;
    private final NewCode newCode;
    private volatile boolean isOldLimitOver;
    private RestartView.State state;
    private String reason = "";

    /// The server's part in a restart by processes of Ruby.
    ///
    /// @param check looks at the settings of new code that could run jobs, and throws
    ///   `ChildFailure` when they cannot be followed
    /// @param taken called when it has taken the jobs
    record NewCode(Consumer<AppSettings> check, Runnable taken) {}

    Restarts(
            Apps apps,
            List<Capsule> capsules,
            Shared shared,
            Standing standing,
            Handover.Acts acts,
            NewCode newCode) {
        this.apps = apps;
        this.capsules = List.copyOf(capsules);
        this.standing = standing;
        limits = shared.settings().runners().restart();
        clock = shared.clock();
        handover = new Handover(apps, capsules, standing, acts);
        onStop = acts.stop();
        this.newCode = newCode;
        since.put(generation(), clock.instant());
        state = generation() == 1 ? RestartView.State.NONE : RestartView.State.READY;
    }

    /// The one that gets new jobs, from 1.
    private int generation() {
        return apps.areHere()
                ? standing.generation() + (handover.isTaken() ? 1 : 0)
                : apps.generation();
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
        int next = generation() + 1;
        if (handover.isTaken()) {
            throw new Answers.Unanswerable(
                    "generation %s works in another process: restart that (mawashi processes)"
                            .formatted(next - 1));
        }
        if (capsules.stream().allMatch(Capsule::isQuiet)) {
            throw new Answers.Unanswerable(
                    "it is quiet or stopping, and runs no new jobs: start another process");
        }
        String obstacle = apps.areHere() ? handover.obstacle() : "";
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
        Integer given = limits.memoryMib();
        Integer wanted =
                given == null && apps.areHere() ? Integer.valueOf(Handover.memoryMib()) : given;
        OptionalLong free = memory.mib();
        if (wanted != null && free.isPresent() && free.getAsLong() < wanted) {
            throw new Answers.Unanswerable(
                    "%s MB of memory are free, %s %s: give it more, or wait until jobs end"
                            .formatted(
                                    free.getAsLong(),
                                    given == null
                                            ? "a second heap of this size (-Xmx; restart.memory"
                                                    + " in config/mawashi.yml) wants"
                                            : "restart.memory in config/mawashi.yml wants",
                                    wanted));
        }
    }

    private void run() {
        CompletableFuture<Void> oldEnd;
        try {
            if (apps.areHere()) {
                handOver();
                return;
            }
            oldEnd = apps.renew(limits.bootLimit(), newCode.check());
        } catch (ChildFailure failed) {
            fail(String.valueOf(failed.getMessage()));
            return;
        } catch (RuntimeException | Error defect) {
            fail(defect.toString());
            return;
        }
        int old = taken();
        try {
            newCode.taken().run();
            limit(old, oldEnd);
            oldEnd.join();
            ended(old);
        } catch (RuntimeException | Error defect) {
            // The new code has the jobs all the same.
            LOG.log(Level.ERROR, "defect in restart", defect);
        }
    }

    private void handOver() {
        try {
            handover.boot(limits.bootLimit());
            handover.giveWay();
        } catch (RuntimeException | Error failed) {
            handover.endAtOnce();
            if (handover.hasGivenWay()) {
                onStop.run();
            }
            throw failed;
        }
        int old = taken();
        try {
            if (!handover.drain(limits.oldLimit())) {
                LOG.log(Level.INFO, OVER.formatted(old));
                isOldLimitOver = true;
            }
            ended(old);
        } finally {
            onStop.run();
        }
    }

    /// Whether running jobs are to end without getting time for it.
    boolean isOldLimitOver() {
        return isOldLimitOver;
    }

    /// The restart whose new code takes this process's place.
    Handover handover() {
        return handover;
    }

    /// Has the runs of old code end once their time is over.
    private void limit(int old, CompletableFuture<Void> oldEnd) {
        Duration limit = limits.oldLimit();
        if (limit == null || hasEnded(oldEnd, limit)) {
            return;
        }
        LOG.log(Level.INFO, OVER.formatted(old));
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
        int present = generation();
        since.put(present, clock.instant());
        LOG.log(Level.INFO, "restart: generation " + present + " takes the jobs");
        return present - 1;
    }

    private synchronized void ended(int old) {
        since.remove(old);
        LOG.log(Level.INFO, "restart: generation " + old + " has ended");
    }

    private synchronized void fail(String why) {
        int present = generation();
        state = RestartView.State.FAILED;
        reason = why;
        LOG.log(
                Level.WARNING,
                "restart: generation {0} failed, generation {1} {2}: {3}",
                Integer.toString(present + 1),
                Integer.toString(present),
                handover.hasGivenWay() ? "stops, to be started anew" : "goes on",
                why.lines().findFirst().orElse(""));
    }

    /// What has come of the last one, and the generations whose processes live.
    RestartView view() {
        return apps.areHere() ? viewOfProcesses() : viewOfChildren();
    }

    private RestartView viewOfProcesses() {
        int own = standing.generation();
        List<RestartView.Generation> living = new ArrayList<>();
        if (standing.older() > 0) {
            living.add(processes(own - 1, standing.older(), standing.heldByAll()));
        }
        synchronized (this) {
            int busy = capsules.stream().mapToInt(capsule -> capsule.running().size()).sum();
            living.add(processes(own, 1, busy));
            if (handover.isTaken() && state == RestartView.State.READY) {
                living.add(processes(own + 1, 1, 0));
                handover.isAsked();
            }
            return new RestartView(
                    state, generation(), reason, limits.bootLimit(), living, handover.identity());
        }
    }

    /// Called under the lock of this or for a generation that is not in `since`.
    private RestartView.Generation processes(int generation, int count, int busy) {
        return new RestartView.Generation(
                generation, count, busy, Optional.ofNullable(since.get(generation)));
    }

    private RestartView viewOfChildren() {
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
            return new RestartView(state, generation(), reason, limits.bootLimit(), living);
        }
    }
}
