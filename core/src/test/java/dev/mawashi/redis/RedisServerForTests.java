package dev.mawashi.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A real redis-server of a test's own, on loopback, without persistence, in a directory that is
/// removed with it.
public final class RedisServerForTests implements AutoCloseable {
    private static final Duration START_MAX = Duration.ofSeconds(60);

    private static final Duration REPLY_MAX = Duration.ofSeconds(30);

    /// With `TESTS_LAG=MS` what others send and get is late now and then by up to so many
    /// milliseconds, and the test's own `connect` is not: a test that reads too early fails more
    /// often.
    private static final Duration LAG =
            Duration.ofMillis(Long.parseLong(System.getenv().getOrDefault("TESTS_LAG", "0")));

    private final HeldPort port = new HeldPort();
    private Process process;
    private final List<String> command;
    private final Path directory;
    private final RedisAddress address;
    private final @Nullable FaultProxy late;

    public RedisServerForTests(String... options) {
        try {
            directory = Files.createTempDirectory("mawashi-redis-");
            address = RedisAddress.parse("redis://127.0.0.1:" + port.number() + "/0");
            command =
                    new ArrayList<>(
                            List.of(
                                    "redis-server",
                                    "--bind",
                                    "127.0.0.1",
                                    "--port",
                                    "" + port.number()));
            command.addAll(List.of("--save", "", "--appendonly", "no"));
            command.addAll(List.of("--dir", directory.toString()));
            command.addAll(List.of("--enable-debug-command", "local"));
            command.addAll(List.of(options));
            process = startProcess();
            awaitReady();
            late = LAG.isZero() ? null : new FaultProxy(address);
            if (late != null) {
                late.stray(LAG);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("redis-server must be on PATH: run ./check once", e);
        }
    }

    private Process startProcess() throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    /// Kills the server, and starts it with what it has on disk: nothing, or what `SAVE` wrote.
    public void crashAndStart() {
        kill();
        try {
            process = startProcess();
            awaitReady();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// From here on nobody answers at its address.
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitReady() {
        long giveUp = System.nanoTime() + START_MAX.toNanos();
        while (true) {
            try (RedisConnection connection = connect()) {
                connection.call("PING");
                return;
            } catch (RedisFailure failure) {
                if (System.nanoTime() > giveUp || !process.isAlive()) {
                    throw failure;
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }

    /// Without what `TESTS_LAG` puts before it: the one that replicas and Sentinels report.
    public RedisAddress ownAddress() {
        return address;
    }

    public RedisAddress address() {
        return late == null ? address : late.address();
    }

    /// `redis://127.0.0.1:port/0`, for other processes.
    public String url() {
        return address().toString();
    }

    /// Straight there.
    public RedisConnection connect() {
        return new RedisConnection(address, "test", REPLY_MAX);
    }

    public long pid() {
        return process.pid();
    }

    public void flushAll() {
        try (RedisConnection connection = connect()) {
            connection.call("FLUSHALL");
        }
    }

    @Override
    public void close() {
        if (late != null) {
            late.close();
        }
        kill();
        port.close();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted((a, b) -> b.compareTo(a)).map(Path::toFile).forEach(f -> f.delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
