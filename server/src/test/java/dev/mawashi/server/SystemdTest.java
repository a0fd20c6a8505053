package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SystemdTest {
    private static final String LISTENER =
            """
            require "socket"
            socket = Addrinfo.unix(ARGV[0].sub(/\\A@/, "\\0"), :DGRAM).bind
            $stdout.sync = true
            puts "listening"
            2.times { puts socket.recv(100) }
            """;

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({"'',notify", "@,abstract"})
    void aRealSocketGetsWhatIsSent(String prefix, String name) throws IOException {
        String path = prefix + folder.resolve(name);
        Process ruby = new ProcessBuilder("ruby", "-e", LISTENER, path).start();
        try (BufferedReader lines = ruby.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("listening");
            Systemd systemd = Systemd.of(Map.of("NOTIFY_SOCKET", path)).orElseThrow();
            systemd.ready();
            systemd.stopping();

            assertThat(List.of(lines.readLine(), lines.readLine()))
                    .containsExactly("READY=1", "STOPPING=1");
        } finally {
            ruby.destroyForcibly();
        }
    }

    @Test
    void aSocketThatNobodyReadsIsNoReasonToFail() {
        String path = folder.resolve("nobody").toString();

        assertThatThrownBy(() -> new UnixDatagrams(path).send("READY=1"))
                .isInstanceOf(IllegalStateException.class);
        Systemd.of(Map.of("NOTIFY_SOCKET", path)).orElseThrow().ready();
    }

    @Test
    void withoutSystemdThereIsNothing() {
        assertThat(Systemd.of(Map.of())).isEmpty();
        assertThat(Systemd.of(Map.of("NOTIFY_SOCKET", "vsock:2:1"))).isEmpty();
        assertThat(Systemd.of(Map.of("NOTIFY_SOCKET", "/" + "x".repeat(200)))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2000000,'',true",
        "'','',false",
        "2000000,1,false",
        "soon,'',false",
        "0,'',false",
        "9223372036854775807,'',false"
    })
    void systemdSaysWhetherItWatches(String micros, String pid, boolean isWatched) {
        Map<String, String> environment =
                Map.of(
                        "NOTIFY_SOCKET", "/run/notify",
                        "WATCHDOG_USEC", micros,
                        "WATCHDOG_PID", pid);

        assertThat(Systemd.of(environment).orElseThrow().watchdog(() -> true).isPresent())
                .isEqualTo(isWatched);
    }

    @Test
    void pingsEndWhileTheServerIsNotHealthy() {
        AtomicBoolean isHealthy = new AtomicBoolean(true);
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger pings = new AtomicInteger();
        Watchdog watchdog =
                new Watchdog(
                        Duration.ofMillis(1),
                        () -> {
                            asked.incrementAndGet();
                            return isHealthy.get();
                        },
                        pings::incrementAndGet);
        watchdog.start();
        try {
            Eventually.until("it pings", () -> pings.get() > 2);
            isHealthy.set(false);
            int answered = asked.get();
            Eventually.until("it has seen that", () -> asked.get() > answered + 1);
            int pinged = pings.get();
            int later = asked.get();
            Eventually.until("it goes on asking", () -> asked.get() > later + 5);

            assertThat(pings.get()).isEqualTo(pinged);
        } finally {
            watchdog.stop(Duration.ZERO);
        }
    }
}
