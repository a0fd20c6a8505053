package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.http.Access;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// The pages over HTTP, on a real Redis that is empty before each test. Whoever calls is an admin.
final class PageRig implements BeforeEachCallback, AfterAllCallback {
    private final RedisServerForTests redis = new RedisServerForTests();
    private final RedisConnection connection = redis.connect();
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebServer web = serve(redis.url());

    PageRig() {
        web.start();
    }

    private static WebServer serve(String url) {
        return WebServer.besideFleet(
                new WebSettings(
                        Access.of("0", Map.of()),
                        RedisAddress.parse(url),
                        ResqueKeys.DEFAULT,
                        "9.9.9"),
                InstantSource.system());
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        redis.flushAll();
    }

    RedisConnection redis() {
        return connection;
    }

    String redisUrl() {
        return redis.url();
    }

    HttpResponse<String> get(String path) throws Exception {
        return get(web, path);
    }

    private HttpResponse<String> get(WebServer server, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path)).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /// A page that is there.
    String page(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("</html>");
        return answer.body();
    }

    /// The same, of a server whose Redis is elsewhere.
    HttpResponse<String> getWith(String url, String path) throws Exception {
        WebServer other = serve(url);
        other.start();
        try {
            return get(other, path);
        } finally {
            other.stop(Duration.ZERO);
        }
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        web.stop(Duration.ZERO);
        client.close();
        connection.close();
        redis.close();
    }
}
