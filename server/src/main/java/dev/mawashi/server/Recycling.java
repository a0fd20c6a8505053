package dev.mawashi.server;

import dev.mawashi.dispatch.Capsule;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Asks for a new start of the process once jobs that do not end hold threads of it: only that
/// frees the threads. It waits until no other job runs. When more threads are stuck than can be
/// replaced, the server claims no more, so that the new start comes soon. While no thread is stuck
/// the loop sleeps, until `wake`.
final class Recycling implements Service {
    private static final System.Logger LOG = System.getLogger(Recycling.class.getName());
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final List<Capsule> capsules;
    private final Runnable onShort;
    private final Runnable onRecycle;
    private final BooleanSupplier isLate;
    private final Loop loop = Loop.platform("recycle", this::step);
    private boolean isShort;

    /// @param onShort called once, when fewer jobs can run than should
    /// @param onRecycle called once, when nothing but stuck jobs is left
    /// @param isLate whether that has to wait
    Recycling(
            List<Capsule> capsules, Runnable onShort, Runnable onRecycle, BooleanSupplier isLate) {
        this.capsules = capsules;
        this.onShort = onShort;
        this.onRecycle = onRecycle;
        this.isLate = isLate;
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration step() {
        int stuck = capsules.stream().mapToInt(capsule -> capsule.stuck().threads()).sum();
        if (stuck == 0 && !isShort) {
            return Loop.UNTIL_WOKEN;
        }
        if (!isShort && capsules.stream().anyMatch(capsule -> capsule.stuck().isShort())) {
            isShort = true;
            LOG.log(Level.WARNING, stuck + " threads are stuck: claiming no more");
            onShort.run();
        }
        if (capsules.stream().allMatch(Capsule::isIdle) && !isLate.getAsBoolean()) {
            LOG.log(Level.WARNING, stuck + " threads are stuck: starting anew");
            onRecycle.run();
            return Loop.OVER;
        }
        return LOOK;
    }

    /// Wakes the loop, after a thread got stuck. Safe for any thread.
    void wake() {
        loop.wake();
    }

    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
