package dev.mawashi.server;

import dev.mawashi.config.RunnerKind;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Set;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.jspecify.annotations.Nullable;

/// Keeps virtual threads running when jobs hold all their carriers.
///
/// The JVM has one carrier, a platform thread, for each core. A job that computes does not leave
/// its carrier, and neither does a thread that waits for a class to be loaded or initialized, even
/// if the loading thread needs a carrier itself. With all carriers held no other virtual thread
/// would run: no job, and none of the server's own, which end cancelled jobs and stop the server.
/// So a platform thread checks that a virtual one gets to run within a second. When it does not,
/// the watch doubles the number of carriers.
final class CarrierWatch implements Service {
    private static final System.Logger LOG = System.getLogger(CarrierWatch.class.getName());
    private static final Duration LOOK = Duration.ofSeconds(1);

    /// The most that the scheduler, a ForkJoinPool, allows.
    private static final int CARRIERS_MAX = 32_767;

    private static final int PROBES_MAX = 1 << 16;

    private final Loop loop = Loop.platform("carriers", this::step);

    /// Looked up at the start: later, loading its classes could be what all carriers wait for.
    private final VirtualThreadSchedulerMXBean scheduler =
            ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);

    private @Nullable Thread probe;

    /// With children alone it is the machine that is busy, which needs no line.
    private final Level level;

    /// @param runners that the server has
    CarrierWatch(Set<RunnerKind> runners) {
        level = runners.stream().allMatch(RunnerKind::isInChildren) ? Level.DEBUG : Level.INFO;
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration step() {
        Thread last = probe;
        if (last != null && last.isAlive()) {
            addCarriers(last);
        }
        probe = probe();
        return LOOK;
    }

    private static Thread probe() {
        return Thread.ofVirtual().name("mawashi-probe-1").start(() -> {});
    }

    private void addCarriers(Thread waiting) {
        int held = scheduler.getParallelism();
        int wanted = Math.min(2 * held, CARRIERS_MAX);
        if (wanted == held) {
            return;
        }
        scheduler.setParallelism(wanted);
        // The JVM makes a carrier when a thread becomes ready, and only if the queue that the
        // thread joins is empty or has to grow (ForkJoinPool's WorkQueue.push). Further carriers
        // then follow.
        for (int i = 0;
                i < PROBES_MAX && waiting.isAlive() && scheduler.getPoolSize() <= held;
                i++) {
            probe();
        }
        LOG.log(
                level,
                "no virtual thread could go on for a second: %s may run at once now, not %s"
                        .formatted(wanted, held));
    }

    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
