package dev.mawashi.server;

import dev.mawashi.children.ChildFailure;
import dev.mawashi.children.Home;
import dev.mawashi.lifecycle.PrivateFolder;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The process that takes this server's place, seen from here: its command once more, with new
/// code. It claims nothing before it gets `GO`.
final class Successor {
    private static final String DOOR = "next";

    /// For what it says of its end to arrive after that.
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final Process process;
    private final CompletableFuture<String> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> works = new CompletableFuture<>();
    private final CompletableFuture<Void> heard = new CompletableFuture<>();
    private final Runnable onStop;
    private volatile @Nullable Cord cord;

    private Successor(Process process, Runnable onStop) {
        this.process = process;
        this.onStop = onStop;
    }

    /// Starts it.
    ///
    /// @param home folder and environment of the new code
    /// @param folder of this process, for the socket
    /// @param greeting what it is told first
    /// @param onStop called when it stops, and this server is to as well
    /// @throws ChildFailure when it cannot be started
    static Successor start(
            Home home, PrivateFolder folder, List<Cord.Line> greeting, Runnable onStop) {
        Path socket = folder.path().resolve(DOOR);
        try {
            Files.deleteIfExists(socket);
            ProcessBuilder builder = OwnCommand.in(home, Predecessor.FLAG + "=" + socket);
            builder.environment().keySet().removeAll(notItsOwn(builder.environment()));
            builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
            ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                door.bind(UnixDomainSocketAddress.of(socket));
                Successor one = new Successor(builder.start(), onStop);
                Thread.ofVirtual().name("mawashi-next-1").start(() -> one.talk(door, greeting));
                CompletableFuture<Void> _ = one.process.onExit().thenAccept(_ -> one.ended(door));
                return one;
            } catch (IOException e) {
                door.close();
                throw e;
            }
        } catch (IOException e) {
            throw new ChildFailure("the new code cannot be started: " + e.getMessage());
        }
    }

    /// Variables of systemd that speak of this process.
    private static Set<String> notItsOwn(Map<String, String> environment) {
        String pid = Long.toString(ProcessHandle.current().pid());
        return pid.equals(environment.getOrDefault("WATCHDOG_PID", pid))
                ? Set.of("WATCHDOG_PID", "SYSTEMD_EXEC_PID", "MAINPID")
                : Set.of("SYSTEMD_EXEC_PID", "MAINPID");
    }

    private void talk(ServerSocketChannel door, List<Cord.Line> greeting) {
        try (door;
                Cord opened = new Cord(door.accept())) {
            cord = opened;
            greeting.forEach(line -> opened.send(line.kind(), line.text()));
            for (Cord.Line line = opened.next(); line != null; line = opened.next()) {
                take(line);
            }
        } catch (IOException _) {
            // It has ended before it said anything.
        } finally {
            heard.complete(null);
        }
    }

    private void take(Cord.Line line) {
        switch (line.kind()) {
            case READY -> ready.complete(line.text());
            case FAILED -> ready.completeExceptionally(new ChildFailure(line.text()));
            case WORKS -> works.complete(null);
            case STOP -> onStop.run();
            case GENERATION, GUARDIAN, HELD, GO, SIGNAL ->
                    throw new IllegalStateException("it sent " + line);
        }
    }

    private void ended(ServerSocketChannel door) {
        try {
            if (cord == null) {
                door.close();
            }
            Void _ = heard.get(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException | ExecutionException | TimeoutException _) {
            // Then it has said nothing.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        ready.completeExceptionally(
                new ChildFailure(
                        "the process of the new code ended with status "
                                + process.exitValue()
                                + " before it could run jobs: see the log"));
        works.completeExceptionally(new ChildFailure("ended"));
    }

    /// Waits until it could claim.
    ///
    /// @return its identity
    /// @throws ChildFailure when it does not come to that; it has been ended then
    String awaitReady(Duration limit) {
        try {
            return ready.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            end();
            throw new ChildFailure(
                    "the new code could not run jobs within "
                            + limit.toSeconds()
                            + " s (restart.boot_limit in config/mawashi.yml)");
        } catch (ExecutionException failed) {
            end();
            throw new ChildFailure(
                    String.valueOf(Objects.requireNonNull(failed.getCause()).getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            end();
            throw new ChildFailure("the server ends");
        }
    }

    /// Waits until it has begun to claim.
    ///
    /// @return false when it has not after `limit`, or has ended
    boolean awaitWork(Duration limit) {
        try {
            Void _ = works.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException | TimeoutException _) {
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Ends it, with all that it has started.
    void end() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /// @return false when it has ended
    boolean send(Cord.Kind kind, String text) {
        Cord opened = cord;
        return opened != null && opened.send(kind, text);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// Once it has ended, as a shell shows it.
    int status() {
        return process.exitValue();
    }
}
