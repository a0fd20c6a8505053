package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A Redis that is there, and does not answer: pages say so, and nobody else waits for it.
final class SlowRedisIT {
    private static final int CROWD = 500;

    /// Fewer than there are threads for answers.
    private static final int AT_ONCE = 8;

    /// A page has an answer within two seconds; what a busy machine adds is not judged here.
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<WebServer> servers = new ArrayList<>();

    private WebServer serve(String redis) {
        WebServer web = RouteCalls.serve(redis, Map.of());
        servers.add(web);
        return web;
    }

    @AfterEach
    void close() {
        client.shutdownNow();
        client.close();
        servers.forEach(server -> server.stop(Duration.ZERO));
    }

    @Test
    void aPageWhoseAnswersTakeTooLongTogetherSaysSo() throws Exception {
        try (RedisServerForTests redis = new RedisServerForTests();
                FaultProxy late = new FaultProxy(redis.address())) {
            late.delay(Duration.ofMillis(400));
            WebServer web = serve("" + late.address());

            assertThat(get(web, "/queues").body())
                    .contains("does not answer now: its answers took longer than 1000 ms.");
        }
    }

    private CompletableFuture<HttpResponse<String>> ask(WebServer web, String path) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(web.url() + path)).timeout(LIMIT).build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(WebServer web, String path) throws Exception {
        return ask(web, path).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private void assertPagesSaySo(WebServer web) throws Exception {
        List<String> paths =
                web.routes().stream()
                        .filter(route -> route.method().equals("GET"))
                        .filter(route -> route.role().equals(Role.VIEWER) && !isStream(route))
                        .map(Route::template)
                        .filter(path -> !path.contains("{"))
                        .toList();
        for (int from = 0; from < paths.size(); from += AT_ONCE) {
            Map<String, CompletableFuture<HttpResponse<String>>> asked = new LinkedHashMap<>();
            paths.subList(from, Math.min(from + AT_ONCE, paths.size()))
                    .forEach(path -> asked.put(path, ask(web, path)));
            for (Map.Entry<String, CompletableFuture<HttpResponse<String>>> one :
                    asked.entrySet()) {
                assertSaysSo(one.getKey(), one.getValue().get(LIMIT.toSeconds(), TimeUnit.SECONDS));
            }
        }
        assertThat(get(web, "/dead").body()).contains("Redis is not answering");
    }

    private static void assertSaysSo(String path, HttpResponse<String> answer) {
        if (answer.statusCode() != 200) {
            assertThat(answer.statusCode()).as(path).isEqualTo(503);
            assertThat(answer.body()).as(path).contains("Redis");
        }
    }

    private static boolean isStream(Route route) {
        return route.template().contains("live") || route.template().contains("events");
    }

    private static void signal(RedisServerForTests redis, String name)
            throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, "" + redis.pid()).start();
        assertThat(kill.waitFor()).isZero();
    }

    @Test
    void oneThatTakesConnectionsAndNeverAnswersIsToldOf() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertPagesSaySo(serve("redis://127.0.0.1:" + silent.getLocalPort()));
        }
    }

    @Test
    void oneThatStandsStillIsToldOfToACrowdAndComesBack() throws Exception {
        try (RedisServerForTests redis = new RedisServerForTests()) {
            WebServer web = serve(redis.url());
            assertThat(get(web, "/dead").statusCode()).isEqualTo(200);
            signal(redis, "STOP");
            try {
                assertPagesSaySo(web);
                assertACrowdIsAnswered(web);
            } finally {
                signal(redis, "CONT");
            }
            Eventually.until(
                    "it is back", LIMIT, () -> ask(web, "/dead").join().statusCode() == 200);
        }
    }

    private void assertACrowdIsAnswered(WebServer web) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> crowd = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            crowd.add(ask(web, "/dead"));
        }
        HttpResponse<String> file = get(web, "/assets/page.css");
        assertThat(file.statusCode()).isEqualTo(200);
        for (CompletableFuture<HttpResponse<String>> one : crowd) {
            assertThat(one.get(LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode()).isEqualTo(503);
        }
    }
}
