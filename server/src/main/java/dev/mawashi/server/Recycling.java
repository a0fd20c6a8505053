package dev.mawashi.server;

import dev.mawashi.dispatch.Capsule;
import dev.mawashi.lifecycle.Service;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Asks for a new start of the process once threads of it are lost to jobs that did not end: only
/// that frees them. It waits until no other job runs. When more are lost than can be replaced,
/// nothing is claimed any more, so that this comes soon.
final class Recycling implements Service {
    private static final System.Logger LOG = System.getLogger(Recycling.class.getName());
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final List<Capsule> capsules;
    private final Runnable onShort;
    private final Runnable onRecycle;
    private volatile boolean isStopping;
    private boolean isShort;
    private @Nullable Thread thread;

    /// @param onShort called once, when fewer jobs can run than should
    /// @param onRecycle called once, when nothing but stuck jobs is left
    Recycling(List<Capsule> capsules, Runnable onShort, Runnable onRecycle) {
        this.capsules = List.copyOf(capsules);
        this.onShort = onShort;
        this.onRecycle = onRecycle;
    }

    @Override
    public void start() {
        // No virtual thread: it costs an idle server more to wake one each second.
        thread = Thread.ofPlatform().daemon().name("mawashi-recycle-1").start(this::run);
    }

    private void run() {
        while (!isStopping) {
            LockSupport.parkNanos(LOOK.toNanos());
            int lost = capsules.stream().mapToInt(capsule -> capsule.stuck().threads()).sum();
            if ((lost > 0 || isShort) && !isStopping) {
                if (!isShort && capsules.stream().anyMatch(capsule -> capsule.stuck().isShort())) {
                    isShort = true;
                    LOG.log(Level.WARNING, lost + " threads are stuck: claiming no more");
                    onShort.run();
                }
                if (capsules.stream().allMatch(Capsule::isIdle)) {
                    LOG.log(Level.WARNING, lost + " threads are stuck: starting anew");
                    onRecycle.run();
                    return;
                }
            }
        }
    }

    @Override
    public void stop(Duration patience) {
        isStopping = true;
        LockSupport.unpark(thread);
    }
}
