package dev.mawashi.http;

import static dev.mawashi.http.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is no request, or far too much of one, gets a refusal that tells nothing of it, and reaches
/// no route. Over real sockets, byte by byte.
final class HostileRequestsTest {
    private static final String HOST = "Host: localhost\r\nConnection: close\r\n";
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";
    private static final ScheduledExecutorService DRIP =
            Executors.newSingleThreadScheduledExecutor();

    private final AtomicInteger calls = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() {
        server =
                new HttpServer(
                        Access.of("0", Map.of()),
                        List.of(
                                Route.get("/queues/{name}", Role.VIEWER, this::told),
                                Route.post("/queues/{name}", Role.ADMIN, this::told),
                                Route.get("/file.css", Role.ANYBODY, this::told)),
                        Duration.ofMillis(200));
        server.start();
    }

    private Answer told(Call call) {
        calls.incrementAndGet();
        return Answer.text(200, "told %s %s".formatted(call.path(), call.body().length));
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
    }

    @AfterAll
    static void endDrip() {
        DRIP.shutdownNow();
    }

    private String say(String request) throws Exception {
        return RawHttp.say(server.port(), request);
    }

    private static String post(String more) {
        return "POST /queues/q HTTP/1.1\r\n" + HOST + "Sec-Fetch-Site: same-origin\r\n" + more;
    }

    private void assertRefused(String request, int status) throws Exception {
        assertThat(say(request))
                .startsWith("HTTP/1.1 " + status + " ")
                .contains("text/plain", "X-Content-Type-Options: nosniff")
                .containsOnlyOnce("HTTP/1.1 ");
        assertThat(calls).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
                "Content-Length: +4\r\n\r\nabcd",
                "Content-Length: -1\r\n\r\n",
                "Content-Length: 99999999999999999999\r\n\r\n",
                "X: a\r\n folded\r\n\r\n",
                "X : a\r\n\r\n",
                "X: a\u0000b\r\n\r\n",
                "X: a\rY: b\r\n\r\n",
                "Host: evil.example\r\n\r\n",
                CHUNKED + "zz\r\nabc\r\n0\r\n\r\n",
                CHUNKED + "-3\r\nabc\r\n0\r\n\r\n",
                CHUNKED + "ffffffffffffffff\r\nabc\r\n0\r\n\r\n",
            })
    void aMessageWhoseEndIsInDoubtIsRefusedAndEndsTheConnection(String rest) throws Exception {
        assertRefused(post(rest), 400);
    }

    @ParameterizedTest
    @CsvSource({
        "GET /,505",
        "GET / HTTP/0.9,505",
        "GET / HTTP/9.9,505",
        "PRI * HTTP/2.0,426",
        "'\u0016\u0003\u0001\u0002',400",
        "<script>alert(1)</script>,400",
    })
    void anotherProtocolIsRefused(String line, int status) throws Exception {
        assertThat(say(line + "\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status + " ")
                .doesNotContain("<script>");
        assertThat(calls).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2c", "websocket"})
    void nobodyIsSwitchedToAnotherProtocol(String protocol) throws Exception {
        String request = get("/queues/q", "Upgrade: " + protocol, "Connection: Upgrade");

        assertThat(say(request)).startsWith("HTTP/1.1 200 ").doesNotContain("101 Switching");
    }

    private static String many(int count, IntFunction<String> part) {
        return IntStream.range(0, count).mapToObj(part).collect(Collectors.joining());
    }

    @Test
    void tooMuchOfAHeadIsRefused() throws Exception {
        String megabyte = "x".repeat(1 << 20);
        assertRefused(get("/" + megabyte), 414);
        assertRefused(get("/queues/q?" + many(100_000, i -> "f" + i + "=1&")), 414);
        assertRefused(get("/queues/q", "X: " + megabyte), 431);
        assertRefused(get("/queues/q", "Cookie: a=" + megabyte), 431);
        assertRefused(get("/queues/q", many(1 << 16, i -> "X" + i + ": 1\r\n") + "Y: 1"), 431);
    }

    @Test
    void moreThanAHundredParametersAreRefusedAndNotLeftOut() throws Exception {
        assertRefused(get("/queues/q?" + many(101, i -> "f" + i + "=1&")), 400);
        assertRefused(get("/queues/q?" + "a=1&".repeat(101)), 400);
        assertRefused(get("/queues/q?" + "&".repeat(5_000)), 400);
        assertThat(say(get("/queues/q?" + many(100, i -> (i > 0 ? "&f" : "f") + i))))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void aBodyOfAHundredMegabytesIsRefusedUnread() throws Exception {
        assertRefused(post("Content-Length: 104857600\r\n\r\n"), 413);
    }

    /// So that no memory is held for those who send one slowly to what anybody may ask.
    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 1048576\r\n\r\nx", CHUNKED + "5\r\nab"})
    void aBodyOfAGetIsRefusedUnread(String body) throws Exception {
        String head = " /file.css HTTP/1.1\r\nHost: localhost\r\n";
        assertThat(say("GET" + head + body))
                .startsWith("HTTP/1.1 400 ")
                .contains("a GET has no body", "Connection: close");
        assertThat(say("HEAD" + head + body)).startsWith("HTTP/1.1 400 ");
        assertThat(calls).hasValue(0);
    }

    @Test
    void onlySoManyBodiesAreReadAtOnce() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 16; i++) {
                Socket socket = RawHttp.connect(server.port());
                slow.add(socket);
                RawHttp.send(
                        socket, post("Content-Length: 1048576\r\nExpect: 100-continue\r\n\r\n"));
                byte[] some = new byte[100];
                int count = socket.getInputStream().read(some);
                assertThat(new String(some, 0, count, StandardCharsets.ISO_8859_1))
                        .startsWith("HTTP/1.1 100 ");
            }
            assertRefused(post("Content-Length: 1048576\r\n\r\n"), 503);
            assertThat(say(get("/file.css"))).startsWith("HTTP/1.1 200 ");
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    /// The body comes later, as libraries send it; the next request comes over the same connection.
    @Test
    void aConnectionGoesOnAfterASmallBodyThatIsRefusedAndElseSaysThatItEnds() throws Exception {
        String refused = "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: ";
        try (Socket socket = RawHttp.connect(server.port())) {
            RawHttp.send(socket, refused + "5\r\n\r\n");
            RawHttp.send(socket, "ab");
            RawHttp.send(socket, "cde" + get("/file.css"));
            assertThat(RawHttp.read(socket)).contains("HTTP/1.1 404 ", "HTTP/1.1 200 ");
        }
        assertThat(say(refused + "1000000\r\n\r\nx"))
                .startsWith("HTTP/1.1 404 ")
                .contains("Connection: close");
    }

    @Test
    void chunksWithoutAnEndAreRefusedAtTheLimit() throws Exception {
        try (Socket socket = RawHttp.connect(server.port())) {
            RawHttp.send(socket, post(CHUNKED));
            String chunk = "10000\r\n" + "x".repeat(1 << 16) + "\r\n";
            for (int i = 0; i < 1_000; i++) {
                RawHttp.send(socket, chunk);
            }
            assertThat(RawHttp.read(socket)).startsWith("HTTP/1.1 413 ");
        }
        assertThat(calls).hasValue(0);
    }

    /// Sends a byte every 30 ms, until the server has had enough.
    private String drip(String begin, char drop) throws Exception {
        try (Socket socket = RawHttp.connect(server.port())) {
            RawHttp.send(socket, begin);
            var drips =
                    DRIP.scheduleAtFixedRate(
                            () -> RawHttp.send(socket, "" + drop), 30, 30, TimeUnit.MILLISECONDS);
            try {
                return RawHttp.read(socket);
            } finally {
                drips.cancel(true);
            }
        }
    }

    @Test
    void aHeadThatDripsEndsTheConnection() throws Exception {
        assertThat(drip("GET /queues/q HTTP/1.1\r\nHost: localhost\r\nX: ", 'x')).isEmpty();
        assertThat(drip("", 'G')).isEmpty();
        String answered = "GET /queues/q HTTP/1.1\r\nHost: localhost\r\n\r\n";
        assertThat(drip(answered, 'G')).containsOnlyOnce("HTTP/1.1 200 ");
    }

    @Test
    void aBodyThatDripsIsRefused() throws Exception {
        assertThat(drip(post("Content-Length: 1000\r\n\r\n"), 'x')).startsWith("HTTP/1.1 408 ");
        assertThat(calls).hasValue(0);
    }

    @Test
    void whatIsPipelinedIsAnsweredInOrder() throws Exception {
        String one = "GET /queues/%d HTTP/1.1\r\nHost: localhost\r\n\r\n";
        String answers = say(many(500, one::formatted) + get("/queues/last"));

        assertThat(answers.split("HTTP/1.1 200 ", -1)).hasSize(502);
        assertThat(answers.indexOf("{name=7}")).isBetween(0, answers.indexOf("{name=8}"));
        assertThat(answers).contains("{name=499}", "{name=last}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "OPTIONS", "PUT", "DELETE", "PATCH", "get", "X", "PROPFIND"})
    void methodsThatHaveNoRouteAreRefused(String method) throws Exception {
        String answer = say(method + " /queues/q HTTP/1.1\r\n" + HOST + "X-Mark: here\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 405 ").contains("Allow: GET, POST");
        assertThat(answer).doesNotContain("X-Mark");
        assertThat(calls).hasValue(0);
    }

    @Test
    void nobodyIsConnectedElsewhere() throws Exception {
        assertRefused("CONNECT /queues/q HTTP/1.1\r\n" + HOST + "\r\n", 400);
        try (Socket socket = RawHttp.connect(server.port())) {
            RawHttp.send(socket, "CONNECT evil.example:80 HTTP/1.1\r\n" + HOST + "\r\n");
            socket.shutdownOutput();
            assertThat(RawHttp.read(socket)).startsWith("HTTP/1.1 400 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-HTTP-Method-Override: POST",
                "X-HTTP-Method: DELETE",
                "X-Method-Override: PUT"
            })
    void aMethodIsNotOverridden(String header) throws Exception {
        String request = "PUT /queues/q HTTP/1.1\r\n" + HOST + header.replaceAll(":.*", ": GET");

        assertThat(say(get("/queues/q?_method=POST", header))).startsWith("HTTP/1.1 200 ");
        assertRefusedAfterOne(request + "\r\n\r\n");
    }

    private void assertRefusedAfterOne(String request) throws Exception {
        assertThat(say(request)).startsWith("HTTP/1.1 405 ");
        assertThat(calls).hasValue(1);
    }

    @Test
    void aPreflightOfAnotherSiteIsToldNothing() throws Exception {
        String preflight =
                "OPTIONS /queues/q HTTP/1.1\r\n"
                        + HOST
                        + "Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n";

        assertThat(say(preflight)).startsWith("HTTP/1.1 405 ").doesNotContain("Access-Control");
        assertThat(say(get("/queues/q", "Origin: http://evil.example")))
                .startsWith("HTTP/1.1 200 ")
                .contains("Cross-Origin-Resource-Policy: same-origin")
                .doesNotContain("Access-Control");
    }

    @Test
    void headersOfTenKilobytesThatMeanNothingHereAreNotRead() throws Exception {
        assertThat(say(get("/queues/q", "Accept-Language: " + "../../etc/passwd,".repeat(600))))
                .startsWith("HTTP/1.1 200 ");
        assertThat(say(get("/file.css", "Range: bytes=0-1,0-1,-5,0-" + ",1-2".repeat(2_000))))
                .startsWith("HTTP/1.1 200 ");
    }
}
