package dev.mawashi.redis;

import dev.mawashi.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Three real Sentinels on loopback that watch a master of a test under the name `main`. They elect
/// another within a second or two.
public final class SentinelsForTests implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration REPLY_MAX = Duration.ofSeconds(30);

    private final Path folder;
    private final List<HeldPort> ports = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();

    /// @param more lines of each Sentinel's file
    public SentinelsForTests(RedisAddress master, String... more) {
        try {
            folder = Files.createTempDirectory("mawashi-sentinels-");
            for (int i = 0; i < 3; i++) {
                HeldPort port = new HeldPort();
                ports.add(port);
                processes.add(start(port.number(), master.port(), more));
                Eventually.until("a Sentinel listens", PATIENCE, () -> listens(port.number()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("redis-server must be on PATH: run ./check once", e);
        }
    }

    private Process start(int port, int master, String... more) throws IOException {
        List<String> lines =
                new ArrayList<>(
                        List.of(
                                "port " + port,
                                "bind 127.0.0.1",
                                "dir " + folder,
                                "sentinel monitor main 127.0.0.1 " + master + " 2",
                                "sentinel down-after-milliseconds main 1000",
                                "sentinel failover-timeout main 4000"));
        lines.addAll(List.of(more));
        Path file = Files.write(folder.resolve("sentinel-" + port + ".conf"), lines);
        return new ProcessBuilder("redis-server", file.toString(), "--sentinel")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log-" + port).toFile())
                .start();
    }

    private static boolean listens(int port) {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /// Waits until all know of each other and of so many replicas.
    public void awaitReady(int replicas) {
        for (HeldPort port : ports) {
            Eventually.until(
                    "a Sentinel is ready",
                    PATIENCE,
                    () -> {
                        String state = call(port.number(), "SENTINEL", "MASTER", "main");
                        return state.contains("num-slaves " + replicas + " ")
                                && state.contains("num-other-sentinels 2 ");
                    });
        }
    }

    /// The port of the master in the eyes of the first Sentinel that answers.
    public int master() {
        for (HeldPort port : ports) {
            String place = call(port.number(), "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main");
            if (place.matches("\\S+ \\d+ ")) {
                return Integer.parseInt(place.strip().replaceAll(".* ", ""));
            }
        }
        return 0;
    }

    /// Has another become the master while the present one lives.
    public void failover() {
        call(ports.getLast().number(), "SENTINEL", "FAILOVER", "main");
    }

    /// What a Sentinel answers, in one line; empty when it does not.
    private static String call(int port, String... command) {
        RedisAddress address = RedisAddress.parse("redis://127.0.0.1:" + port);
        try (RedisConnection connection = new RedisConnection(address, "test", REPLY_MAX)) {
            return text(connection.call(command)) + " ";
        } catch (RedisFailure _) {
            return "";
        }
    }

    private static String text(@Nullable Object reply) {
        return switch (reply) {
            case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
            case List<?> list ->
                    list.stream().map(SentinelsForTests::text).collect(Collectors.joining(" "));
            case null -> "";
            default -> reply.toString();
        };
    }

    /// Ends one, the first.
    public void killOne() {
        processes.getFirst().destroyForcibly();
    }

    public void killAll() {
        processes.forEach(Process::destroyForcibly);
    }

    /// `host:port,host:port,host:port`.
    public String places() {
        return ports.stream()
                .map(port -> "127.0.0.1:" + port.number())
                .collect(Collectors.joining(","));
    }

    public String url() {
        return "redis+sentinel://" + places() + "/main/0";
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        ports.forEach(HeldPort::close);
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted((a, b) -> b.compareTo(a)).map(Path::toFile).forEach(f -> f.delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
