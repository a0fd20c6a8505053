package dev.mawashi.redis;

import static dev.mawashi.redis.ProxiedConnection.failure;
import static dev.mawashi.redis.ProxiedConnection.text;
import static dev.mawashi.redis.ProxiedConnection.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Connections over a Unix socket: they fail, wait and end as those over TCP do.
final class UnixSocketIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final byte[][] BLPOP = words("BLPOP", "none", "60");

    @TempDir Path folder;
    private Path file;
    private RedisServerForTests server;

    @BeforeEach
    void start() {
        file = folder.resolve("s");
        server = new RedisServerForTests("--unixsocket", file.toString());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static RedisConnection connection(String url, Duration timeout) {
        return new RedisConnection(RedisAddress.parse(url), "test", timeout);
    }

    private RedisConnection connection() {
        return connection("unix://" + file, TIMEOUT);
    }

    @Test
    void itLogsInAndChoosesTheDatabase() {
        try (RedisConnection look = server.connect()) {
            look.call("ACL", "SETUSER", "me", "on", ">p@w", "~*", "+@all");
            try (RedisConnection own = connection("unix://me:p%40w@" + file + "?db=3", TIMEOUT)) {
                own.call("SET", "k", "v");
                assertThat(text(own.call("ACL", "WHOAMI"))).isEqualTo("me");
            }
            look.call("SELECT", "3");
            assertThat(text(look.call("GET", "k"))).isEqualTo("v");
            try (RedisConnection own = connection("unix://me:no@" + file, TIMEOUT)) {
                RedisFailure failure = failure(() -> own.call("PING"));
                assertThat(failure.code()).isEqualTo("WRONGPASS");
            }
        }
    }

    /// More than any buffer between the two.
    @Test
    void longWordsGoBothWays() {
        byte[] large = new byte[20_000_000];
        new Random(1).nextBytes(large);
        try (RedisConnection own = connection()) {
            for (int i = 0; i < 3; i++) {
                own.queue(RedisConnection.utf8("ECHO"), large);
            }
            assertThat(own.flush()).containsExactly(large, large, large);
        }
    }

    @Test
    void aRedisThatSaysNothingIsGivenUpAndFoundAgain() throws Exception {
        try (RedisConnection hasty = connection("unix://" + file, SHORT)) {
            Eventually.until("a reply in time", () -> isAnswered(hasty));
            signal("-STOP");
            byte[] large = new byte[20_000_000];
            RedisFailure unwritten = failure(() -> hasty.call(RedisConnection.utf8("ECHO"), large));
            assertThat(unwritten.kind()).isEqualTo(RedisFailure.Kind.UNKNOWN);
            assertThat(unwritten.reason()).endsWith("timed out");
            assertThat(failure(() -> hasty.call("PING")).kind())
                    .isEqualTo(RedisFailure.Kind.NOT_SENT);
            signal("-CONT");
            Eventually.until("a reply in time", () -> isAnswered(hasty));
            signal("-STOP");
            assertThat(failure(() -> hasty.call("SET", "k", "1")).kind())
                    .isEqualTo(RedisFailure.Kind.UNKNOWN);
            signal("-CONT");
            Eventually.until("a reply in time", () -> isAnswered(hasty));
        }
    }

    private static boolean isAnswered(RedisConnection connection) {
        try {
            return "PONG".equals(text(connection.call("PING")));
        } catch (RedisFailure _) {
            return false;
        }
    }

    private void signal(String signal) throws Exception {
        assertThat(new ProcessBuilder("kill", signal, "" + server.pid()).start().waitFor())
                .isZero();
    }

    @Test
    void aRedisThatStartsAgainIsFoundAgain() {
        try (RedisConnection own = connection()) {
            own.call("PING");
            int before = own.generation();
            server.crashAndStart();
            assertThat(failure(() -> own.call("PING")).kind()).isEqualTo(RedisFailure.Kind.UNKNOWN);
            assertThat(text(own.call("PING"))).isEqualTo("PONG");
            assertThat(own.generation()).isGreaterThan(before);

            server.kill();
            assertThat(failure(() -> own.call("PING")).kind()).isEqualTo(RedisFailure.Kind.UNKNOWN);
            RedisFailure failure = failure(() -> own.call("PING"));
            assertThat(failure.kind()).isEqualTo(RedisFailure.Kind.NOT_SENT);
            assertThat(failure.reason()).contains("does Redis run, with unixsocket " + file);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whateverMomentItIsRetiredInTheWaitEnds(boolean isVirtual) throws Exception {
        Thread.Builder threads = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            RedisConnection parked = connection();
            parked.call("PING");
            CountDownLatch begins = new CountDownLatch(1);
            List<RedisFailure> failures = new ArrayList<>();
            Thread waits =
                    threads.name("mawashi-test-1")
                            .start(() -> {
                                begins.countDown();
                                failures.add(failure(() -> parked.callBlocking(TIMEOUT, BLPOP)));
                            });
            begins.await();
            for (long end = System.nanoTime() + random.nextInt(200_000);
                    System.nanoTime() < end; ) {
                Thread.onSpinWait();
            }

            parked.retire();

            assertThat(waits.join(Duration.ofSeconds(20))).as("round " + i).isTrue();
            assertThat(failures).hasSize(1).doesNotContainNull();
            parked.close();
        }
    }

    /// As with TCP: a platform thread goes on, a virtual one loses the connection.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptionIsKept(boolean isVirtual) throws Exception {
        Thread.Builder threads = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
        List<Object> seen = new ArrayList<>();
        try (RedisConnection own = connection();
                RedisConnection look = server.connect()) {
            Thread waits =
                    threads.name("mawashi-test-1")
                            .start(() -> {
                                try {
                                    seen.add(own.callBlocking(TIMEOUT, BLPOP) != null);
                                } catch (RedisFailure failure) {
                                    seen.add(failure.reason());
                                }
                                seen.add(Thread.currentThread().isInterrupted());
                            });
            Eventually.until(
                    "it waits",
                    () -> (text(look.call("INFO", "clients")) + "").contains("blocked_clients:1"));
            waits.interrupt();
            if (!isVirtual) {
                look.call("LPUSH", "none", "1");
            }

            assertThat(waits.join(TIMEOUT)).isTrue();
        }
        assertThat(seen).hasSize(2).contains(true);
        assertThat(seen.getFirst().toString()).contains(isVirtual ? "Closed by interrupt" : "true");
    }

    @Test
    void filesThatAreNoSocketOfARedisAreNamedWithTheRemedy() throws IOException {
        Path plain = Files.createFile(folder.resolve("plain"));
        Path dead = Files.createSymbolicLink(folder.resolve("dead"), folder.resolve("none"));
        assertThat(reason(folder.resolve("none"))).contains("there is no such file: start Redis");
        assertThat(reason(plain)).contains("this file is no socket");
        assertThat(reason(folder)).contains("this file is no socket");
        assertThat(reason(plain.resolve("below"))).contains("cannot reach unix://");
        assertThat(reason(dead)).contains("this link leads to no file");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        try (RedisConnection own = connection("unix://" + link, TIMEOUT)) {
            assertThat(text(own.call("PING"))).isEqualTo("PONG");
        }
    }

    private static String reason(Path other) {
        try (RedisConnection own = connection("unix://" + other, TIMEOUT)) {
            RedisFailure failure = failure(() -> own.call("PING"));
            assertThat(failure.kind()).isEqualTo(RedisFailure.Kind.NOT_SENT);
            return failure.reason();
        }
    }

    /// Of root, who may, too.
    @Test
    void aFileThatThisUserMayNotWriteIsNamedWithTheRemedy() throws IOException {
        Files.setPosixFilePermissions(file, Set.of());
        try (RedisConnection own = connection()) {
            String said;
            try {
                said = text(own.call("PING"));
            } catch (RedisFailure failure) {
                said = failure.reason();
            }
            assertThat(said).contains(Files.isWritable(file) ? "PONG" : "with unixsocketperm 770");
        }
    }

    /// As of a Redis that is stopped for long.
    @Test
    void aSocketThatTakesNoMoreIsNoWait() throws IOException {
        Path full = folder.resolve("full");
        List<SocketChannel> waiting = new ArrayList<>();
        try (ServerSocketChannel listens = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listens.bind(UnixDomainSocketAddress.of(full), 1);
            for (int i = 0; i < 2; i++) {
                waiting.add(SocketChannel.open(UnixDomainSocketAddress.of(full)));
            }

            assertThat(reason(full)).contains("cannot reach unix://");
        } finally {
            for (SocketChannel one : waiting) {
                one.close();
            }
        }
    }
}
