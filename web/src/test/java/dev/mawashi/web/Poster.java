package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.http.Access;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.ResqueKeys;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Changes things over HTTP at a server of its own, as a browser does and as a program does.
final class Poster implements AutoCloseable {
    static final String OPERATOR = "operator-secret-0001";
    static final String VIEWER = "viewer-secret-000001";
    static final String ADMIN = "admin-secret-0000001";

    private static final Duration END_MAX = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newHttpClient();
    private final WebServer web;
    private final RedisAddress redis;

    Poster(String url, InstantSource clock, Map<String, String> secrets) {
        redis = RedisAddress.parse(url);
        web =
                WebServer.besideFleet(
                        new WebSettings(
                                Access.of("0", secrets), redis, ResqueKeys.DEFAULT, "9.9.9"),
                        clock);
        web.start();
    }

    static Map<String, String> secrets() {
        return Map.of(
                "MAWASHI_WEB_OPERATOR", OPERATOR,
                "MAWASHI_WEB_VIEWER", VIEWER,
                "MAWASHI_WEB_ADMIN", ADMIN);
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(web.url() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    HttpResponse<String> get(String path) {
        return send(to(path));
    }

    /// A program's, from this machine.
    HttpResponse<String> json(String path, String body) {
        return body(path, "application/json", body);
    }

    /// The same, and what it came to in the end.
    String done(String path, String body) {
        HttpResponse<String> answer = json(path, body);
        return answer.statusCode() == 202 ? awaitEnd(id(answer.body())) : answer.body();
    }

    private String awaitEnd(String id) {
        long end = System.nanoTime() + END_MAX.toNanos();
        try (RedisConnection redis = new RedisConnection(this.redis, "test", END_MAX)) {
            while (System.nanoTime() < end) {
                for (Object line :
                        (List<?>)
                                Objects.requireNonNull(
                                        redis.call("LRANGE", "mw:audit", "0", "-1"))) {
                    String entry = new String((byte[]) line, StandardCharsets.UTF_8);
                    if (entry.contains(id) && !entry.contains("\"state\":\"begun\"")) {
                        return entry;
                    }
                }
                LockSupport.parkNanos(20_000_000);
            }
        }
        throw new AssertionError("the act " + id + " did not end");
    }

    /// The id of a change, out of the answer to it.
    static String id(String answer) {
        Matcher id = Pattern.compile("\"id\":\"([0-9a-f]{16})\"").matcher(answer);
        assertThat(id.find()).as(answer).isTrue();
        return id.group(1);
    }

    String undo(String answer) {
        return done("acts/" + id(answer) + "/undo", "");
    }

    /// A browser's.
    ///
    /// @param fields names and values by turns
    HttpResponse<String> form(String path, String... fields) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            body.append(i == 0 ? "" : "&").append(fields[i]).append('=');
            body.append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        return body(path, "application/x-www-form-urlencoded", body.toString());
    }

    HttpResponse<String> body(String path, String type, String body) {
        return send(
                to("/api/v1/" + path)
                        .header("Content-Type", type)
                        .header("Sec-Fetch-Site", "same-origin")
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /// With a secret.
    HttpResponse<String> bearer(String secret, String path, String body) {
        return send(
                to("/api/v1/" + path)
                        .header("Content-Type", "application/json")
                        .header("Authorization", "Bearer " + secret)
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /// The page to which a browser is sent after this.
    String page(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        String location = answer.headers().firstValue("Location").orElseThrow();
        assertThat(location).startsWith("/").doesNotStartWith("//");
        awaitEnd(location.replaceFirst(".*done=", ""));
        HttpResponse<String> page = get(location);
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        return page.body();
    }

    @Override
    public void close() {
        web.stop(Duration.ZERO);
        client.close();
    }
}
