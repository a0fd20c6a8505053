package dev.mawashi.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Over real sockets. There is room for one body of 20 MiB at a time, and that is much more than
/// sockets hold of what nobody reads.
@Timeout(120)
final class OutgoingTest {
    private static final int LARGE = 20 << 20;

    private HttpServer server;

    @BeforeEach
    void start() {
        server =
                new HttpServer(
                        Access.of("0", Map.of()),
                        List.of(
                                Route.get(
                                        "/bytes/{count}",
                                        Role.VIEWER,
                                        call ->
                                                Answer.bytes(
                                                        body(
                                                                Integer.parseInt(
                                                                        call.path()
                                                                                .get("count")))))));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
    }

    /// No two slices of it are alike.
    private static byte[] body(int count) {
        byte[] body = new byte[count];
        for (int i = 0; i < count; i++) {
            body[i] = (byte) (i ^ (i >> 8) ^ (i >> 16));
        }
        return body;
    }

    /// An answer of which only the head was read.
    private record Begun(Socket socket, InputStream in, String status) implements AutoCloseable {
        byte[] rest() throws IOException {
            return in.readAllBytes();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private Begun ask(int count) throws IOException {
        Socket socket = RawHttp.connect(server.port());
        RawHttp.send(socket, RawHttp.get("/bytes/" + count));
        InputStream in = new BufferedInputStream(socket.getInputStream());
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append((char) in.read());
        }
        return new Begun(socket, in, head.substring(9, 12));
    }

    private String statusOf(int count) {
        try (Begun answer = ask(count)) {
            return answer.status();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                1 << 20,
                (1 << 20) + 1,
                (2 << 20) - 1,
                2 << 20,
                (2 << 20) + 1,
                LARGE,
                // More than there is room for, but alone.
                (32 << 20) + 1
            })
    void everyByteOfABodyComesOnce(int count) throws IOException {
        try (Begun answer = ask(count)) {
            assertThat(answer.status()).isEqualTo("200");
            assertThat(Arrays.equals(answer.rest(), body(count))).isTrue();
        }
    }

    @Test
    void whileAClientTakesALargeOneOthersGetSmallOnesAndAreToldToComeAgain() throws IOException {
        try (Begun slow = ask(LARGE)) {
            assertThat(statusOf(1 << 20)).isEqualTo("200");
            try (Begun refused = ask(LARGE)) {
                assertThat(refused.status()).isEqualTo("503");
                assertThat(new String(refused.rest(), StandardCharsets.UTF_8))
                        .contains("try again");
            }

            assertThat(Arrays.equals(slow.rest(), body(LARGE))).isTrue();
        }
        Eventually.until("there is room again", () -> statusOf(LARGE).equals("200"));
    }

    @Test
    void clientsThatTakeNothingDoNotHoldUpTheStop() throws Exception {
        for (int i = 0; i < 10; i++) {
            try (Begun slow = ask(LARGE)) {
                assertThat(slow.status()).isEqualTo("200");
                Thread stops = Thread.ofPlatform().name("test-stops-1").start(this::stop);
                assertThat(stops.join(Duration.ofSeconds(30))).isTrue();
            }
            start();
        }
    }

    @Test
    void aClientThatGoesAwayLeavesItsRoom() throws IOException {
        try (Begun gone = ask(LARGE)) {
            assertThat(gone.status()).isEqualTo("200");
        }

        // Those who ask go away too.
        for (int i = 0; i < 3; i++) {
            Eventually.until("there is room again", () -> statusOf(LARGE).equals("200"));
        }
    }
}
