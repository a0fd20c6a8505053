package dev.mawashi.faults;

import dev.mawashi.Eventually;
import dev.mawashi.redis.HeldPort;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// A redis-server that can be killed, stopped and started again at its place, with what it has kept
/// or without.
final class RealRedis implements AutoCloseable {
    private static final Duration START_MAX = Duration.ofSeconds(60);

    private final Path folder;
    private final HeldPort port = new HeldPort();
    private final List<String> options;
    private Process process;

    /// @param folder for its files
    RealRedis(Path folder, String... options) {
        this.folder = folder;
        this.options = List.of(options);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process = launch();
        awaitAnswer();
    }

    private Process launch(String... more) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "redis-server",
                                "--bind",
                                "127.0.0.1",
                                "--port",
                                "" + port.number()));
        command.addAll(List.of("--dir", folder.toString(), "--save", ""));
        command.addAll(options);
        command.addAll(List.of(more));
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(
                            ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("redis-server must be on PATH: run ./check once", e);
        }
    }

    private void awaitAnswer() {
        Eventually.until(
                "redis-server answers",
                START_MAX,
                () -> {
                    try (RedisConnection connection = connect()) {
                        connection.call("PING");
                        return true;
                    } catch (RedisFailure refused) {
                        // One that wants a password, or loads, is up as well.
                        return String.valueOf(refused.getMessage())
                                .matches("(?s).*(NOAUTH|LOADING).*");
                    }
                });
    }

    Path folder() {
        return folder;
    }

    RedisAddress address() {
        return RedisAddress.parse("redis://127.0.0.1:" + port.number() + "/0");
    }

    RedisConnection connect() {
        return new RedisConnection(address(), "rig", Duration.ofSeconds(30));
    }

    /// Sends one command on a connection of its own.
    Object call(String... command) {
        try (RedisConnection connection = connect()) {
            Object reply = connection.call(command);
            return reply == null ? "" : reply;
        }
    }

    /// Whether it is a replica whose link to its master is up.
    boolean isInStep() {
        return replication().contains("master_link_status:up");
    }

    boolean isReplica() {
        return replication().contains("role:slave");
    }

    /// How far it is in what its master has written, or it itself.
    long offset() {
        return Long.parseLong(replication().replaceAll("(?s).*master_repl_offset:(\\d+).*", "$1"));
    }

    private String replication() {
        return call("INFO", "replication") instanceof byte[] text
                ? new String(text, StandardCharsets.UTF_8)
                : "";
    }

    /// `kill -9`.
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// Starts it where it was, with what its files hold.
    void start(String... more) {
        process = launch(more);
        awaitAnswer();
    }

    /// Starts it where it was and waits until it answers other than that it still loads, or ends.
    ///
    /// @return whether it works
    boolean startsAnew(String... more) {
        process = launch(more);
        Eventually.until(
                "redis-server works or ends", START_MAX, () -> !process.isAlive() || canWork());
        return process.isAlive();
    }

    private boolean canWork() {
        try {
            return call("PING") != null;
        } catch (RedisFailure _) {
            return false;
        }
    }

    /// Its log of commands, of one with `--appendonly yes`.
    private Path log() {
        return folder.resolve("appendonlydir/appendonly.aof.1.incr.aof");
    }

    /// How long its log of commands is.
    long logSize() {
        try {
            return Files.size(log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Cuts its log of commands to a size; only of one that was killed.
    void cutLog(long size) {
        try (FileChannel file = FileChannel.open(log(), StandardOpenOption.WRITE)) {
            file.truncate(size);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Overwrites a part of its log of commands.
    ///
    /// @param at where, or the log's size to append
    void damageLog(long at, byte[] bytes) {
        try (FileChannel file = FileChannel.open(log(), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(bytes), at);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Lets Redis's own tool cut the log where it is damaged.
    void mendLog() throws IOException, InterruptedException {
        Process tool =
                new ProcessBuilder(
                                "redis-check-aof",
                                "--fix",
                                folder.resolve("appendonlydir/appendonly.aof.manifest").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(
                                ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                        .start();
        tool.getOutputStream().write("y\n".getBytes(StandardCharsets.US_ASCII));
        tool.getOutputStream().close();
        if (tool.waitFor() != 0) {
            throw new AssertionError("redis-check-aof could not mend the log");
        }
    }

    /// Removes what it has kept; only of one that was killed.
    void forget() {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .filter(file -> !file.equals(folder))
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Lets strace do something to each sync of a file, until this Redis ends.
    ///
    /// @param what in strace's words
    void breakSyncs(String what) throws IOException {
        new ProcessBuilder(
                        "strace",
                        "-f",
                        "-p",
                        "" + process.pid(),
                        "-e",
                        "trace=fdatasync",
                        "-e",
                        "inject=fdatasync:" + what)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("strace").toFile())
                .start();
        Eventually.until("strace is there", START_MAX, this::isTraced);
    }

    private boolean isTraced() {
        if (!process.isAlive()) {
            return true;
        }
        try {
            return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                    .anyMatch(line -> line.matches("TracerPid:\\s*[1-9].*"));
        } catch (IOException _) {
            // It has ended just now.
            return false;
        }
    }

    /// Waits until it has ended by itself.
    void awaitEnd() {
        Eventually.until("redis-server ends", START_MAX, () -> !process.isAlive());
    }

    void signal(String name) {
        Signals.send(process.pid(), name);
    }

    @Override
    public void close() {
        kill();
        port.close();
    }
}
