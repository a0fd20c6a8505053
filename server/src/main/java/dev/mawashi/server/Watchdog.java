package dev.mawashi.server;

import dev.mawashi.lifecycle.Service;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Pings for as long as the server is healthy, so that systemd starts it again when it hangs.
final class Watchdog implements Service {
    private static final System.Logger LOG = System.getLogger(Watchdog.class.getName());

    private final Duration pause;
    private final BooleanSupplier isHealthy;
    private final Runnable ping;
    private volatile boolean isStopping;
    private @Nullable Thread thread;

    Watchdog(Duration pause, BooleanSupplier isHealthy, Runnable ping) {
        if (!pause.isPositive()) {
            throw new IllegalArgumentException("no pause between two pings: " + pause);
        }
        this.pause = pause;
        this.isHealthy = isHealthy;
        this.ping = ping;
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("mawashi-watchdog-1").start(this::run);
    }

    private void run() {
        boolean wasHealthy = true;
        while (!isStopping) {
            boolean is = isHealthy.getAsBoolean();
            if (is) {
                ping.run();
            } else if (wasHealthy) {
                LOG.log(Level.ERROR, "the lease is not looked after: systemd gets no more pings");
            }
            wasHealthy = is;
            LockSupport.parkNanos(pause.toNanos());
        }
    }

    @Override
    public void stop(Duration patience) {
        isStopping = true;
        Thread running = thread;
        if (running != null) {
            LockSupport.unpark(running);
        }
    }
}
