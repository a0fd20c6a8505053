package dev.mawashi.server;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Reports this process's state to systemd, as services of `Type=notify` do (sd_notify(3)).
final class Systemd {
    private static final System.Logger LOG = System.getLogger(Systemd.class.getName());

    /// An app that still is not loaded then hangs.
    private static final Duration MEANWHILE_MAX = Duration.ofMinutes(10);

    private final UnixDatagrams socket;
    private final Map<String, String> environment;

    private Systemd(UnixDatagrams socket, Map<String, String> environment) {
        this.socket = socket;
        this.environment = environment;
    }

    /// Empty when systemd did not start this process, or does not ask for its state.
    static Optional<Systemd> of(Map<String, String> environment) {
        String path = environment.getOrDefault("NOTIFY_SOCKET", "");
        if (path.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Systemd(new UnixDatagrams(path), environment));
        } catch (IllegalArgumentException wrong) {
            LOG.log(Level.WARNING, "NOTIFY_SOCKET: " + wrong.getMessage());
            return Optional.empty();
        }
    }

    void ready() {
        send("READY=1");
    }

    /// Reports that the process starts anew, which is no stop. systemd requires the time with it.
    void reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=" + System.nanoTime() / 1_000);
    }

    /// Reports that another process is the service's main one from now on.
    void mainIs(long pid) {
        send("MAINPID=" + pid);
    }

    void stopping() {
        send("STOPPING=1");
    }

    void ping() {
        send("WATCHDOG=1");
    }

    /// Shows a line in `systemctl status`.
    void status(String line) {
        send("STATUS=" + line);
    }

    /// Pings at half the time after which systemd takes the process for hung; empty when systemd
    /// does not watch this process.
    Optional<Watchdog> watchdog(BooleanSupplier isHealthy) {
        String micros = environment.getOrDefault("WATCHDOG_USEC", "");
        String pid = environment.getOrDefault("WATCHDOG_PID", "");
        boolean isMeant = pid.isEmpty() || pid.equals(Long.toString(ProcessHandle.current().pid()));
        if (micros.isEmpty() || !isMeant) {
            return Optional.empty();
        }
        try {
            Duration limit = Duration.ofNanos(Math.multiplyExact(Long.parseLong(micros), 1_000));
            return Optional.of(new Watchdog(limit.dividedBy(2), isHealthy, this::ping));
        } catch (ArithmeticException | IllegalArgumentException _) {
            LOG.log(Level.WARNING, "WATCHDOG_USEC is not a time: " + micros);
            return Optional.empty();
        }
    }

    /// Pings for so long as nothing can say yet, or any more, whether jobs can run: while the app
    /// is loaded, which after a new start in place counts for systemd, and while the process stops
    /// to start anew.
    Optional<Watchdog> watchdogMeanwhile() {
        long end = System.nanoTime() + MEANWHILE_MAX.toNanos();
        return watchdog(() -> System.nanoTime() - end < 0);
    }

    private void send(String state) {
        try {
            socket.send(state);
        } catch (IllegalStateException failure) {
            LOG.log(Level.WARNING, "cannot notify systemd: " + state + ": " + failure.getMessage());
        }
    }
}
