package dev.mawashi.http;

import static dev.mawashi.http.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Addresses and hosts that mean something else, or would to somebody else.
final class HostileAddressesTest {
    private final AtomicInteger calls = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() {
        server =
                new HttpServer(
                        Access.of("0", Map.of()),
                        List.of(
                                Route.get("/queues/{name}", Role.VIEWER, this::told),
                                Route.get("/file.css", Role.ANYBODY, this::told)));
        server.start();
    }

    private Answer told(Call call) {
        calls.incrementAndGet();
        return Answer.text(200, "told " + call.path());
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
    }

    private String say(String request) throws Exception {
        return RawHttp.say(server.port(), request);
    }

    @ParameterizedTest
    @CsvSource({
        "/queues/%,400",
        "/queues/%zz,400",
        "/queues/%00,400",
        "/queues/%u0041,400",
        "/queues/%c0%af,400",
        "/queues/%e0%80%af,400",
        "/queues/%ff,400",
        "/queues/%0d%0aX:1,400",
        "/queues/\u00e9,400",
        "/queues/\\..\\x,400",
        "/queues/%5c..%5cx,400",
        "/queues/{name},400",
        "/queues/%2e%2e,400",
        "//evil.example,400",
        "//evil.example/%2e%2e,400",
        "/queues//,400",
        "/queues/,404",
        "/queues/..,404",
        "/queues/a/../../file.css/,404",
        "/file.css%00,400",
        "/%2e%2e%2ffile.css,404",
        "/..%2ffile.css,404",
        "/..%255c..%255cfile.css,404",
        "/queues/q?a=%,400",
        "/queues/q?a=%zz,400",
        "/queues/q?a=%ff,400",
        "/queues/q?%c0%af=1,400",
        "/queues/q#part,400",
        "http://evil.example/queues/q,400",
        "http://user:word@localhost/queues/q,400",
    })
    void anAddressThatIsNoneReachesNoRoute(String target, int status) throws Exception {
        assertThat(say(get(target)))
                .startsWith("HTTP/1.1 " + status + " ")
                .contains("text/plain", "X-Content-Type-Options: nosniff");
        assertThat(calls).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({
        "/queues/..%2f..%2fetc%2fpasswd,../../etc/passwd",
        "/queues/%252e%252e%252f,%2e%2e%2f",
        "/queues/a%3bb,a;b",
        "/queues/a;b=c,a",
        "/queues/e%cc%81,e\u00cc\u0081",
        "/queues/%c3%a9,\u00c3\u00a9",
        "/queues/%3Cscript%3E,<script>",
        "http://localhost/queues/q,q",
        "/./queues/q,q",
    })
    void aNameIsDecodedOnceAndNamesNothingElse(String target, String name) throws Exception {
        assertThat(say(get(target)))
                .startsWith("HTTP/1.1 200 ")
                .contains("told {name=" + name + "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "localhost.evil.example",
                "localhost.",
                "127.1",
                "2130706433",
                "0.0.0.0",
                "[::ffff:127.0.0.1]",
                "%6cocalhost",
                "user@localhost",
                "localhost:80@evil.example",
                "localhost, evil.example",
                "localhost:80:80",
                "localhost/",
                "",
            })
    void aHostThatIsNotOursIsRefusedWhateverIsForwarded(String host) throws Exception {
        String answer =
                say(
                        "GET /queues/q HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n"
                                        .formatted(host)
                                + "X-Forwarded-Host: localhost\r\nForwarded: host=localhost\r\n\r\n");

        assertThat(answer).containsPattern("^HTTP/1.1 (400|421) ").doesNotContain("evil");
        assertThat(calls).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"token", "Access_Token", "api_key", "password", "secret"})
    void aSecretInAnAddressIsRefusedWithAWord(String name) throws Exception {
        String answer = say(get("/queues/q?from=1&" + name + "=viewer-secret-0001"));

        assertThat(answer)
                .startsWith("HTTP/1.1 400 ")
                .contains("Authorization: Bearer")
                .doesNotContain("viewer-secret");
        assertThat(calls).hasValue(0);
    }
}
