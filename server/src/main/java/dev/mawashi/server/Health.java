package dev.mawashi.server;

import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.PrivateFolder;
import dev.mawashi.lifecycle.Service;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reports every few seconds whether this server can run jobs: to `mawashi health` in a file, to
/// systemd in its status, and in the log when that changes. The file is written anew each time, so
/// that its age shows a server that hangs.
final class Health implements Service {
    /// `mawashi health` takes six times as much for a hang.
    static final Duration PAUSE = Duration.ofSeconds(5);

    private static final System.Logger LOG = System.getLogger(Health.class.getName());
    private static final String FILE = "health";

    private final PrivateFolder folder;
    private final Supplier<String> trouble;
    private final @Nullable Systemd systemd;
    private final Loop loop = Loop.virtual("health", this::step);
    private String reported = "";

    /// @param trouble why jobs cannot run; "" when they can
    /// @param systemd null where systemd did not start the server
    Health(PrivateFolder folder, Supplier<String> trouble, @Nullable Systemd systemd) {
        this.folder = folder;
        this.trouble = trouble;
        this.systemd = systemd;
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration step() {
        String now = trouble.get().replaceAll("\\s+", " ");
        if (!now.equals(reported)) {
            report(now);
        }
        reported = now;
        try {
            folder.write(FILE, now.isEmpty() ? "ok" : now);
        } catch (UncheckedIOException failure) {
            // No reason to end: the probe finds the file too old, if there is any.
            LOG.log(Level.DEBUG, "mawashi health cannot be reported: " + failure.getMessage());
        }
        return PAUSE;
    }

    private void report(String now) {
        if (now.isEmpty()) {
            LOG.log(Level.INFO, "jobs can run again");
        } else if (reported.isEmpty()) {
            LOG.log(Level.ERROR, "jobs cannot run: " + now);
        }
        if (systemd != null) {
            systemd.status(now.isEmpty() ? "jobs can run" : "jobs cannot run: " + now);
        }
    }

    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
