package dev.mawashi.embedded;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The one thread that starts the server, waits for its end, and starts it again when nobody asked
/// for that end.
///
/// The thread lives until the server is stopped for good: the kernel ends the child with the thread
/// that started it (see [Tether]). `stop` and the loop both read `child`; `launch` holds the lock,
/// so that no child starts after `stop` has taken the last one to end it.
final class Supervisor {
    private static final System.Logger LOG = System.getLogger(Supervisor.class.getName());
    private static final int RESTARTS_MAX = 10;
    private static final Duration RESTART_PAUSE = Duration.ofMillis(500);
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

    /// A server, and the shell that ends it with this process where the kernel does not.
    record Child(Process server, Optional<Process> watch) {
        void end() {
            watch.ifPresent(Process::destroyForcibly);
            server.destroy();
        }
    }

    /// Starts one child.
    interface Launch {
        Child start() throws IOException;
    }

    private final Launch launch;
    private final CompletableFuture<Process> first = new CompletableFuture<>();
    private final CountDownLatch stopping = new CountDownLatch(1);

    @GuardedBy("this")
    private @Nullable Child child;

    Supervisor(Launch launch) {
        this.launch = launch;
    }

    /// The first child, started but not yet ready.
    Process start() throws IOException {
        Thread.ofPlatform().daemon().name("mawashi-redis-1").start(this::supervise);
        try {
            return first.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
        }
    }

    /// Ends the child by TERM, and by KILL when `patience` is over. The kernel may keep even that
    /// waiting for a disk, which nobody waits for.
    void stop(Duration patience) {
        @Nullable Child last = lastChild();
        if (last == null) {
            return;
        }
        last.end();
        try {
            if (last.server().waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            Process killed = last.server().destroyForcibly();
            if (!killed.waitFor(KILL_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(Level.ERROR, "bundled Redis cannot be ended pid=" + killed.pid());
            }
        } catch (InterruptedException _) {
            last.server().destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void supervise() {
        try {
            @Nullable Process server = launch();
            for (int restarts = 0; server != null; restarts++) {
                first.complete(server);
                int status = server.waitFor();
                if (stopping.getCount() == 0) {
                    return;
                }
                if (restarts == RESTARTS_MAX) {
                    LOG.log(Level.ERROR, "bundled Redis keeps ending, given up status=" + status);
                    return;
                }
                LOG.log(Level.WARNING, "bundled Redis ended, starting it again status=" + status);
                if (stopping.await(RESTART_PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
                server = launch();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            if (!first.completeExceptionally(e)) {
                LOG.log(Level.ERROR, "bundled Redis cannot be started again", e);
            }
        }
    }

    private synchronized @Nullable Process launch() throws IOException {
        if (stopping.getCount() == 0) {
            return null;
        }
        if (child != null) {
            child.watch().ifPresent(Process::destroyForcibly);
        }
        child = launch.start();
        return child.server();
    }

    private synchronized @Nullable Child lastChild() {
        stopping.countDown();
        return child;
    }
}
