package dev.mawashi.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/// `kill -9` of the process that started the server.
final class KilledParentIT {
    @TempDir Path folder;

    @Test
    void theKernelEndsTheServerAndTheDataIsFoundAgain() throws Exception {
        killParentAndLookForData(System.getenv("PATH"));
    }

    @Test
    void withoutSetprivTheWatchingShellEndsTheServer() throws Exception {
        Path tools = Files.createDirectory(folder.resolve("tools"));
        SearchPath path = SearchPath.of(System.getenv("PATH"));
        RedisBinary binary = RedisBinary.find(path, Bundle.forThisSystem(System.getenv(), folder));
        Files.createSymbolicLink(tools.resolve("redis-server"), binary.path().toRealPath());
        killParentAndLookForData(tools.toString());
    }

    private void killParentAndLookForData(String path) throws Exception {
        Path data = folder.resolve("data");
        Process parent = parent(data, path);
        try (BufferedReader output = parent.inputReader(StandardCharsets.UTF_8)) {
            URI url = URI.create(output.readLine());
            try (Jedis client = new Jedis(url)) {
                client.set("key", "value");
            }
            ProcessHandle server = server(data);
            parent.destroyForcibly().waitFor();
            assertThat(DataDirectory.isEnded(server)).isTrue();
        } finally {
            parent.destroyForcibly();
        }
        EmbeddedRedis again = EmbeddedRedis.keptIn(data, 0, Map.of("PATH", path));
        again.start();
        try (Jedis client = new Jedis(again.url())) {
            assertThat(client.get("key")).isEqualTo("value");
        } finally {
            again.stop(Duration.ofSeconds(60));
        }
    }

    private static Process parent(Path data, String path) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Parent.class.getName(),
                        data.toString(),
                        path)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static ProcessHandle server(Path data) throws IOException {
        String pid = Files.readString(data.resolve("server.pid")).split(" ", 2)[0];
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }
}
