package dev.mawashi.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/// With real servers: the machine's own where there is one, and the bundled one.
final class EmbeddedRedisIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path folder;

    @Test
    void theServerNeverEvictsAndWritesEveryChange() {
        EmbeddedRedis redis = EmbeddedRedis.temporary(System.getenv());
        redis.start();
        try (Jedis client = new Jedis(redis.url())) {
            assertThat(client.configGet("maxmemory-policy")).containsValue("noeviction");
            assertThat(client.configGet("appendonly")).containsValue("yes");
            assertThat(client.configGet("appendfsync")).containsValue("everysec");
            assertThat(client.configGet("bind")).containsValue("127.0.0.1");
        } finally {
            redis.stop(PATIENCE);
        }
    }

    @Test
    void withoutItsPasswordNobodyIsServed() {
        EmbeddedRedis redis = EmbeddedRedis.temporary(System.getenv());
        redis.start();
        try (Jedis client = new Jedis("127.0.0.1", redis.port())) {
            assertThatThrownBy(client::ping).hasMessageContaining("NOAUTH");
        } finally {
            redis.stop(PATIENCE);
        }
    }

    @Test
    void thePasswordIsOnNoCommandLine() throws IOException {
        EmbeddedRedis redis = EmbeddedRedis.temporary(System.getenv());
        redis.start();
        try {
            Path process = Path.of("/proc", Long.toString(pid(redis.directory())));
            String password = redis.url().getUserInfo().split(":", 2)[1];
            assertThat(password).hasSizeGreaterThan(30);
            assertThat(Files.readString(process.resolve("cmdline")))
                    .contains("server")
                    .doesNotContain(password);
            assertThat(Files.readString(process.resolve("environ"))).doesNotContain(password);
        } finally {
            redis.stop(PATIENCE);
        }
    }

    @Test
    void temporaryDataIsGoneAfterStop() {
        EmbeddedRedis redis = EmbeddedRedis.temporary(System.getenv());
        redis.start();
        Path directory = redis.directory();
        assertThat(directory).isDirectory();
        redis.stop(PATIENCE);
        redis.stop(PATIENCE);
        assertThat(directory).doesNotExist();
    }

    @Test
    void aSecondStartFindsTheKeptDataUnderTheSameUrl() throws IOException {
        Path data = folder.resolve("kept data");
        URI url = withKept(data, client -> client.set("key", "value"));
        URI again = withKept(data, client -> assertThat(client.get("key")).isEqualTo("value"));
        assertThat(again.getUserInfo()).isEqualTo(url.getUserInfo());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                .isEqualTo("rwx------");
    }

    @Test
    void aServerThatEndsByItselfIsStartedAgainWithItsData() throws Exception {
        EmbeddedRedis redis = EmbeddedRedis.temporary(System.getenv());
        redis.start();
        try {
            write(redis.url(), "key", "value");
            ProcessHandle first = ProcessHandle.of(pid(redis.directory())).orElseThrow();
            first.destroyForcibly();
            first.onExit().get(10, TimeUnit.SECONDS);
            awaitAnswer(redis);
            try (Jedis client = new Jedis(redis.url())) {
                assertThat(client.get("key")).isEqualTo("value");
            }
        } finally {
            redis.stop(PATIENCE);
        }
    }

    @Test
    void aPortInUseIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            int port = taken.getLocalPort();
            EmbeddedRedis redis = EmbeddedRedis.keptIn(folder.resolve("d"), port, System.getenv());
            assertThatThrownBy(redis::start)
                    .isInstanceOf(EmbeddedRedisFailure.class)
                    .hasMessage(
                            "port "
                                    + port
                                    + " is in use: stop what listens there, or choose another with"
                                    + " --port");
        }
    }

    @Test
    void aFolderWithOtherThingsIsRefused() throws IOException {
        Files.writeString(folder.resolve("thesis.txt"), "mine");
        EmbeddedRedis redis = EmbeddedRedis.keptIn(folder, 0, System.getenv());
        assertThatThrownBy(redis::start)
                .isInstanceOf(EmbeddedRedisFailure.class)
                .hasMessageContaining("holds something else")
                .hasMessageContaining("--dir");
    }

    @Test
    void aFolderThatCannotBeMadeIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        EmbeddedRedis redis = EmbeddedRedis.keptIn(file.resolve("data"), 0, System.getenv());
        assertThatThrownBy(redis::start)
                .isInstanceOf(EmbeddedRedisFailure.class)
                .hasMessageContaining("cannot use the folder " + file.resolve("data"))
                .hasMessageContaining("--dir");
    }

    @Test
    void aFolderInUseIsRefused() {
        EmbeddedRedis redis = EmbeddedRedis.keptIn(folder.resolve("d"), 0, System.getenv());
        redis.start();
        try {
            EmbeddedRedis second = EmbeddedRedis.keptIn(folder.resolve("d"), 0, System.getenv());
            assertThatThrownBy(second::start).hasMessageContaining("is in use by another Mawashi");
        } finally {
            redis.stop(PATIENCE);
        }
    }

    @Test
    void withoutAServerOnPathTheBundledOneRunsFromTheCache() {
        Map<String, String> bare = bareEnvironment();
        EmbeddedRedis redis = EmbeddedRedis.temporary(bare);
        redis.start();
        try {
            assertThat(redis.version()).isEqualTo("7.0.15");
            write(redis.url(), "key", "value");
        } finally {
            redis.stop(PATIENCE);
        }
        assertThat(folder.resolve("cache/mawashi")).isDirectoryContaining("glob:**redis-server-*");
    }

    @Test
    void aDamagedProgramInTheCacheIsReplaced() throws IOException {
        Bundle bundle = Bundle.forThisSystem(bareEnvironment(), folder.resolve("spare"));
        Path program = bundle.unpacked().path();
        Files.writeString(program, "#!/bin/sh\necho v=9.9.9\n");
        assertThat(bundle.unpacked().version()).isEqualTo("7.0.15");
    }

    @Test
    void withoutACacheTheBundledOneRunsFromATemporaryFolder() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        Bundle bundle =
                Bundle.forThisSystem(
                        Map.of("XDG_CACHE_HOME", file.toString()), folder.resolve("spare"));
        assertThat(bundle.unpacked().path()).startsWith(folder.resolve("spare"));
    }

    @Test
    void aSystemWithoutABundledServerIsTold() {
        Bundle bundle =
                new Bundle("redis-server-7.0.15-sunos-sparc", Bundle.cacheFolder(Map.of()), folder);
        assertThatThrownBy(bundle::unpacked)
                .hasMessageContaining("install one, or give --redis URL");
    }

    private Map<String, String> bareEnvironment() {
        Map<String, String> bare = new HashMap<>();
        bare.put("PATH", folder.toString());
        bare.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        return bare;
    }

    private interface Use {
        void with(Jedis client);
    }

    private static URI withKept(Path data, Use use) {
        EmbeddedRedis redis = EmbeddedRedis.keptIn(data, 0, System.getenv());
        redis.start();
        try (Jedis client = new Jedis(redis.url())) {
            use.with(client);
            return redis.url();
        } finally {
            redis.stop(PATIENCE);
        }
    }

    private static void write(URI url, String key, String value) {
        try (Jedis client = new Jedis(url)) {
            client.set(key, value);
        }
    }

    private static void awaitAnswer(EmbeddedRedis redis) {
        ReadinessProbe probe =
                new ReadinessProbe(redis.port(), redis.url().getUserInfo().split(":", 2)[1]);
        org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> {
                    while (!probe.isAnswered()) {
                        Thread.onSpinWait();
                    }
                });
    }

    private static long pid(Path directory) throws IOException {
        return Long.parseLong(Files.readString(directory.resolve("server.pid")).split(" ", 2)[0]);
    }
}
