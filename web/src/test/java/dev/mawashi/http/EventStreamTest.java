package dev.mawashi.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Over real sockets, with a clock that is stepped.
final class EventStreamTest {
    private static final Duration UNREAD = Duration.ofDays(1_000);
    private static final EventStream.Limits LIMITS = new EventStream.Limits(4, 2, UNREAD);

    private final AtomicLong nanos = new AtomicLong();
    private final CountDownLatch followed = new CountDownLatch(1);
    private final EventStream stream = new EventStream(LIMITS, nanos::get, followed::countDown);
    private final List<Socket> open = new ArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() {
        server =
                new HttpServer(
                        Access.of("0", Map.of()),
                        List.of(Route.get("/live", Role.VIEWER, _ -> stream.follow())));
        server.start();
    }

    @AfterEach
    void stop() throws IOException {
        stream.close();
        server.stop(Duration.ZERO);
        for (Socket socket : open) {
            socket.close();
        }
    }

    private Socket ask(String method, String from) throws IOException {
        return ask(method, from, "close");
    }

    private Socket ask(String method, String from, String connection) throws IOException {
        Socket socket = new Socket();
        open.add(socket);
        socket.setReceiveBufferSize(4 << 10);
        socket.setSoTimeout(20_000);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        String request =
                method
                        + " /live HTTP/1.1\r\nHost: localhost\r\nConnection: "
                        + connection
                        + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private BufferedReader follow(String from) throws IOException {
        BufferedReader reader = reader(ask("GET", from));
        assertThat(until(reader, "")).startsWith("HTTP/1.1 200");
        return reader;
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private static String all(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /// Lines up to this one.
    private static String until(BufferedReader reader, String end) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            lines.append(line).append('\n');
            if (line.equals(end)) {
                return lines.toString();
            }
        }
        throw new AssertionError("the stream ended with " + lines);
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    void allWhoFollowGetTheNewestEventAtOnceAndThenEach() throws Exception {
        stream.send("figures", "old");
        stream.send("figures", "one\ntwo");
        List<BufferedReader> readers = List.of(follow("127.0.0.1"), follow("127.0.0.1"));
        for (BufferedReader reader : readers) {
            assertThat(until(reader, "data: two")).contains("event: figures\ndata: one\n");
        }
        assertThat(followed.getCount()).isZero();

        stream.send("figures", "three");
        for (BufferedReader reader : readers) {
            assertThat(until(reader, "data: three")).contains("event: figures");
        }
    }

    @Test
    void itsHeadForbidsWhatThatOfEachAnswerDoes() throws Exception {
        String head = until(reader(ask("GET", "127.0.0.1")), "");

        assertThat(head)
                .contains("Content-Type: text/event-stream", "Cache-Control: no-store")
                .contains("Content-Security-Policy", "X-Accel-Buffering: no");
        ask("HEAD", "127.0.0.1").getInputStream().readAllBytes();
        assertThat(stream.count()).isOne();
    }

    @Test
    void moreThanItHoldsAreRefusedWithAWordWhy() throws Exception {
        for (int i = 0; i < 4; i++) {
            follow("127.0.0.1");
        }
        String refusal = all(ask("GET", "127.0.0.1"));
        assertThat(refusal)
                .startsWith("HTTP/1.1 503")
                .contains("Retry-After: 30", "all 4 live streams are taken");

        open.getFirst().close();
        await(() -> {
            stream.send("figures", "x");
            return stream.count() == 3;
        });
        follow("127.0.0.1");
    }

    @Test
    void anotherMachineHasAShareOfThem() throws Exception {
        follow("127.0.0.2");
        follow("127.0.0.2");

        assertThat(all(ask("GET", "127.0.0.2")))
                .startsWith("HTTP/1.1 503")
                .contains("your address has its 2 live streams already");
        follow("127.0.0.3");
    }

    @Test
    void whoReadsNothingIsClosedAndHoldsUpNobody() throws Exception {
        follow("127.0.0.1");
        BufferedReader good = follow("127.0.0.1");
        String large = "x".repeat(1 << 20);
        for (int i = 0; i < 8; i++) {
            stream.send("figures", large + i);
            until(good, "data: " + large + i);
        }
        stream.look();
        assertThat(stream.count()).isEqualTo(2);

        nanos.addAndGet(UNREAD.toNanos());
        stream.look();
        await(() -> stream.count() == 1);
        stream.send("figures", "end");
        until(good, "data: end");
    }

    @Test
    void aLongSilenceIsBrokenByAComment() throws Exception {
        Socket socket = ask("GET", "127.0.0.1");
        BufferedReader reader = reader(socket);
        until(reader, ":");
        stream.look();
        stream.send("figures", "one");
        assertThat(until(reader, "data: one")).doesNotContain(":\n\n:");
        until(reader, "");

        await(() -> {
            nanos.addAndGet(Duration.ofSeconds(15).toNanos());
            stream.look();
            return stream.count() == 1 && isReady(reader);
        });
        until(reader, ":");
    }

    private static boolean isReady(BufferedReader reader) {
        try {
            return reader.ready();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void closingEndsStreamsAsWholeAnswersAndLetsNobodyIn() throws Exception {
        BufferedReader reader = reader(ask("GET", "127.0.0.1", "keep-alive"));
        await(() -> stream.count() == 1);
        stream.send("figures", "last");
        stream.close();

        assertThat(until(reader, "0")).contains("data: last");
        assertThat(stream.count()).isZero();
        assertThat(all(ask("GET", "127.0.0.1"))).startsWith("HTTP/1.1 503");
    }
}
