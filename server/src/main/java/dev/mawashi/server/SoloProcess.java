package dev.mawashi.server;

import dev.mawashi.children.Home;
import dev.mawashi.lifecycle.Service;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A second process of this server's command, in which suspects run alone while this one goes on
/// with its work. There is one at a time, and only while there are suspects.
///
/// It has a lease of its own. Should it die, its suspect is found like the jobs of any dead
/// process, and the crash counts against that job alone. We steer it by its standard input: a line
/// quiets it, and the end of the stream stops it, whether we stop or die.
final class SoloProcess implements Service {
    /// The last word of its command line.
    static final String FLAG = "--alone";

    private static final System.Logger LOG = System.getLogger(SoloProcess.class.getName());

    /// Variables of systemd, which knows only this process.
    private static final Set<String> OURS =
            Set.of("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "MAINPID");

    /// The pause after a failure, doubled with each further one in a row.
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final int DOUBLED_MAX = 8;

    private final Supplier<Home> home;
    private @Nullable Process process;
    private int failures;
    private long failedNanos;
    private boolean isStopping;

    /// @param home folder and environment of the present code
    SoloProcess(Supplier<Home> home) {
        this.home = home;
    }

    @Override
    public void start() {
        // `want` starts the process.
    }

    /// Starts the process, if it does not run: there are suspects. Safe for any thread.
    synchronized void want() {
        if (isStopping || process != null || isResting()) {
            return;
        }
        try {
            ProcessBuilder builder = OwnCommand.in(home.get(), FLAG);
            builder.environment().keySet().removeAll(OURS);
            Process started = builder.start();
            process = started;
            LOG.log(
                    Level.INFO,
                    "jobs that were in hand when processes died run alone in process "
                            + started.pid());
            CompletableFuture<Void> _ = started.onExit().thenAccept(this::ended);
        } catch (IOException | IllegalStateException failure) {
            fail("cannot start a process in which suspects run alone: " + failure.getMessage());
        }
    }

    private boolean isResting() {
        long rest = PAUSE.toNanos() << Math.min(failures, DOUBLED_MAX);
        return failures > 0 && System.nanoTime() - failedNanos < rest;
    }

    private synchronized void ended(Process gone) {
        process = null;
        if (gone.exitValue() == 0) {
            failures = 0;
        } else {
            fail(
                    "process %s, in which suspects ran alone, ended with status %s"
                            .formatted(gone.pid(), gone.exitValue()));
        }
    }

    private void fail(String message) {
        failures++;
        failedNanos = System.nanoTime();
        LOG.log(Level.WARNING, message);
    }

    /// Whether no such process lives.
    synchronized boolean isIdle() {
        return process == null;
    }

    /// Quiets the process: its job goes on, and it claims no more.
    synchronized void quiet() {
        isStopping = true;
        if (process != null) {
            try {
                OutputStream input = process.getOutputStream();
                input.write('\n');
                input.flush();
            } catch (IOException _) {
                // The process has ended.
            }
        }
    }

    /// Asks the process to stop. It gives its job the same time that we give ours.
    synchronized void askToStop() {
        isStopping = true;
        if (process != null) {
            try {
                process.getOutputStream().close();
            } catch (IOException _) {
                // The process has ended.
            }
        }
    }

    /// Asks the process to stop, and leaves it to itself if it still runs after `patience`: if we
    /// killed it, its job would be blamed.
    @Override
    public void stop(Duration patience) {
        askToStop();
        Process last;
        synchronized (this) {
            last = process;
        }
        try {
            if (last != null && !last.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(Level.WARNING, "process " + last.pid() + " still stops by itself");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
