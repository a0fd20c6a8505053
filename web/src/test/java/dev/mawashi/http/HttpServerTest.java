package dev.mawashi.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Over real sockets.
final class HttpServerTest {
    private static final String ADMIN = "admin-secret-00002";
    private static final String VIEWER = "viewer-secret-0001";

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void start() {
        server =
                new HttpServer(
                        Access.of(
                                "0",
                                Map.of("MAWASHI_WEB_ADMIN", ADMIN, "MAWASHI_WEB_VIEWER", VIEWER)),
                        List.of(
                                Route.get("/open", Role.ANYBODY, _ -> Answer.text(200, "open")),
                                Route.get("/queues/{name}", Role.VIEWER, HttpServerTest::told),
                                Route.post(
                                        "/queues/{name}/clear", Role.ADMIN, HttpServerTest::told),
                                Route.get(
                                        "/defect",
                                        Role.ANYBODY,
                                        _ -> {
                                            throw new IllegalStateException("secret detail");
                                        }),
                                Route.get(
                                        "/error",
                                        Role.VIEWER,
                                        _ -> {
                                            throw new StackOverflowError("secret detail");
                                        })));
        server.start();
    }

    private static Answer told(Call call) {
        return Answer.text(
                200,
                "%s %s %s %s %d"
                        .formatted(
                                call.role(),
                                call.who(),
                                call.path(),
                                call.query(),
                                call.body().length));
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
        client.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path))
                .timeout(Duration.ofSeconds(20));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder as(String secret, HttpRequest.Builder request) {
        return request.header("Authorization", "Bearer " + secret);
    }

    /// Sends bytes and reads all that comes back, until the server closes.
    private String raw(String bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private String get(String target) throws IOException {
        return raw("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    @Test
    void answersByRouteAndRole() throws Exception {
        assertThat(send(request("/open")).body()).isEqualTo("open\n");
        assertThat(send(request("/queues/a")).statusCode()).isEqualTo(401);
        assertThat(send(as(VIEWER, request("/queues/a?x=1&x=2&y=%20"))).body())
                .isEqualTo("VIEWER token {name=a} {x=[1, 2], y=[ ]} 0\n");
        HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString("abc");
        assertThat(send(as(VIEWER, request("/queues/a/clear").POST(body))).statusCode())
                .isEqualTo(403);
        assertThat(send(as(ADMIN, request("/queues/a/clear").POST(body))).body())
                .isEqualTo("ADMIN token {name=a} {} 3\n");
    }

    @Test
    void aNameInAPathMayHoldAnything() throws Exception {
        assertThat(send(as(VIEWER, request("/queues/a%2Fb%20%25%C3%A9"))).body())
                .startsWith("VIEWER token {name=a/b %é}");
    }

    @ParameterizedTest
    @CsvSource({
        "/nowhere,404",
        "/open/,404",
        "/queues/a/../../open/x,404",
        "/%6Fpen,200",
        "/open;x=1,200",
        "/open%00,400",
        "/..,400",
        "/%2e%2e/open,400",
        "*,400",
        "open,400",
    })
    void anOddPathIsNoOtherRoute(String target, int status) throws Exception {
        assertThat(get(target)).startsWith("HTTP/1.1 " + status + " ");
    }

    @Test
    void headIsGetWithoutABodyAndOtherMethodsAreNamed() throws Exception {
        HttpResponse<String> head =
                send(request("/open").method("HEAD", HttpRequest.BodyPublishers.noBody()));
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();

        HttpResponse<String> delete = send(request("/open").DELETE());
        assertThat(delete.statusCode()).isEqualTo(405);
        assertThat(delete.headers().firstValue("Allow")).contains("GET");
        assertThat(raw("TRACE /open HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 405 ");
    }

    @Test
    void everyAnswerForbidsWhatPagesOfOthersCouldDo() throws Exception {
        for (String path : List.of("/open", "/nowhere", "/queues/a", "/defect")) {
            assertThat(send(request(path)).headers().map())
                    .containsEntry("x-content-type-options", List.of("nosniff"))
                    .containsEntry("cache-control", List.of("no-store"))
                    .containsEntry("referrer-policy", List.of("no-referrer"))
                    .containsKey("content-security-policy")
                    .doesNotContainKey("server");
        }
        assertThat(get("/%")).contains("X-Content-Type-Options: nosniff");
    }

    @Test
    void aDefectTellsNothing() throws Exception {
        HttpResponse<String> answer = send(request("/defect"));

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).doesNotContain("secret detail");
    }

    @Test
    void whatIsTooLargeIsRefused() throws Exception {
        assertThat(send(request("/open").header("X-Large", "x".repeat(20_000))).statusCode())
                .isEqualTo(431);
        // It is refused before it is sent, or the answer could be lost.
        String large =
                "POST /queues/a/clear HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                        + ADMIN
                        + "\r\nContent-Length: 1048577\r\nConnection: close\r\n\r\n";
        assertThat(RawHttp.say(server.port(), large)).startsWith("HTTP/1.1 413 ");
        assertThat(send(request("/open?" + "x".repeat(20_000))).statusCode()).isIn(414, 431);
    }

    @Test
    void whatTheLibraryRefusesShowsNothingOfWhatCame() throws Exception {
        String answer = raw("GET /<script>x</script> HTTP/9.9\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 ").doesNotContain("<script>");
    }

    @Test
    void clientsThatSendNothingHoldNoThread() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                idle.add(socket);
                OutputStream out = socket.getOutputStream();
                out.write(
                        "POST /queues/a/clear HTTP/1.1\r\nHost: loc"
                                .getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }

            assertThat(send(request("/open")).statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    @Test
    void anErrorIsAnsweredAndEndsNoThread() throws Exception {
        for (int i = 0; i < 20; i++) {
            HttpResponse<String> answer = send(as(VIEWER, request("/error")));

            assertThat(answer.statusCode()).isEqualTo(500);
            assertThat(answer.body()).doesNotContain("secret");
        }
        assertThat(send(request("/open")).statusCode()).isEqualTo(200);
    }

    @Test
    void aPortThatIsTakenIsOneLine() {
        HttpServer second = new HttpServer(Access.of("" + server.port(), Map.of()), List.of());

        assertThatThrownBy(second::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot listen at 127.0.0.1:" + server.port());
        second.stop(Duration.ZERO);
    }
}
