package dev.mawashi.server;

import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Pings systemd for as long as the server is healthy, so that systemd starts it again when it
/// hangs.
final class Watchdog implements Service {
    private static final System.Logger LOG = System.getLogger(Watchdog.class.getName());

    private final Duration pause;
    private final BooleanSupplier isHealthy;
    private final Runnable ping;
    private final Loop loop = Loop.virtual("watchdog", this::step);
    private boolean wasHealthy = true;

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
        loop.start();
    }

    private Duration step() {
        boolean is = isHealthy.getAsBoolean();
        if (is) {
            ping.run();
        } else if (wasHealthy) {
            LOG.log(Level.ERROR, "jobs cannot run: systemd gets no pings until they can");
        }
        wasHealthy = is;
        return pause;
    }

    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
