package dev.mawashi.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.desk.Desks;
import dev.mawashi.figures.Inspector;
import dev.mawashi.http.Access;
import dev.mawashi.http.EventStream;
import dev.mawashi.http.HttpServer;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.MetricsShape;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Over HTTP and on a real Redis.
final class LiveIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private static final int EVENTS_MAX = 30;

    private final RedisConnection redis = SERVER.connect();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Desks desks =
            new Desks(
                    _ -> new RedisConnection(SERVER.address(), "desk", Duration.ofMillis(500)),
                    InstantSource.system(),
                    Duration.ofSeconds(5));
    private Live live;
    private HttpServer http;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.flushAll();
        redis.call("SADD", "queues", "q");
        redis.call("RPUSH", "queue:q", "{\"enqueued_at\":1.5}");
        live =
                new Live(
                        new Inspector(
                                new RedisConnection(
                                        RedisAddress.parse(SERVER.url()),
                                        "live",
                                        Duration.ofMillis(500)),
                                InstantSource.system()),
                        desks,
                        InstantSource.system(),
                        new EventStream.Limits(3, 3, Duration.ofSeconds(30)));
        http = new HttpServer(Access.of("0", Map.of()), live.routes());
        http.start();
        live.start();
    }

    @AfterEach
    void close() {
        live.stop(Duration.ofSeconds(5));
        http.stop(Duration.ZERO);
        desks.close();
        client.shutdownNow();
        redis.close();
    }

    private <T> HttpResponse<T> get(String path, HttpResponse.BodyHandler<T> body)
            throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(http.url() + path))
                        .timeout(Duration.ofSeconds(20))
                        .build();
        return client.send(request, body);
    }

    private Scanner follow() throws Exception {
        HttpResponse<InputStream> answer =
                get("/api/v1/live", HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        return new Scanner(answer.body(), StandardCharsets.UTF_8).useDelimiter("\n\n");
    }

    private String history(String range) throws Exception {
        return get("/api/v1/history" + range, HttpResponse.BodyHandlers.ofString()).body();
    }

    /// The first event that holds this.
    private static String await(Scanner events, String text) {
        for (int i = 0; i < EVENTS_MAX && events.hasNext(); i++) {
            String event = events.next();
            if (event.contains(text)) {
                return event;
            }
        }
        throw new AssertionError("no event has " + text);
    }

    @Test
    void whoFollowsHearsFiguresAsTheyChange() throws Exception {
        Scanner events = follow();
        String first = await(events, "event: figures");
        assertThat(first).contains("\"enqueued\":\"1\"", "\"processed\":\"0\"", "\"q\":[1,");

        redis.call("SET", "stat:processed", "1234");
        redis.call("DEL", "queue:q");
        String changed = await(events, "\"processed\":\"1,234\"");
        assertThat(changed).contains("\"q\":[0,0]");
        assertThat(mark(changed)).isNotEqualTo(mark(first));
    }

    private static String mark(String event) {
        return event.replaceFirst("(?s).*\"mark\":(-?\\d+).*", "$1");
    }

    @Test
    void aPlotHasAPastAtTheFirstLookAndARangeThatIsNoneIsNamed() throws Exception {
        Scanner events = follow();
        await(events, "\"processed\":\"0\"");
        redis.call("SET", "stat:processed", "1000000");
        await(events, "\"processed\":\"1,000,000\"");
        await(events, "figures");
        await(events, "figures");

        assertThat(history(""))
                .contains("\"range\":\"15m\"", "\"seconds\":900", "\"ok\":[", "\"name\":\"q\"")
                .containsPattern("\"ok\":\\[null,(0,)*\\d{5,}");
        assertThat(history("?range=8h")).contains("\"seconds\":28800");
        assertThat(history("?range=9h")).contains("range is one of 15m, 1h, 8h");
    }

    @Test
    void aPlotByMinuteShowsWhatEndedBeforeTheStartAsSoonAsRedisTells() throws Exception {
        redis.call("CONFIG", "SET", "requirepass", "secret");
        try {
            assertThat(history("?range=1h")).contains("\"times\":[],\"ok\":[]");
        } finally {
            redis.call("CONFIG", "SET", "requirepass", "");
        }
        assertThat(history("?range=1h")).contains("\"times\":[],\"ok\":[]");

        count(10, 180, 60);
        assertThat(history("?range=1h"))
                .contains("\"ok\":[2,0,", "\"failed\":[1,0,", "\"busy\":[null,null,");
        assertThat(history("")).doesNotContain("\"ok\":[2,");

        // It has been read, and is not read again.
        count(20, 600, 0);
        assertThat(history("?range=8h")).contains("\"ok\":[2,0,");
    }

    private void count(int minutesAgo, int processed, int failed) {
        Instant time = Instant.now().minus(Duration.ofMinutes(minutesAgo));
        String minute = MetricsShape.EIGHT.rollups(time).getLast().key();
        redis.call("HSET", minute, "A|p", "" + processed, "A|f", "" + failed);
    }

    @Test
    void streamsAreCapped() throws Exception {
        List<Scanner> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(follow());
        }
        HttpResponse<String> fourth = get("/api/v1/live", HttpResponse.BodyHandlers.ofString());

        assertThat(fourth.statusCode()).isEqualTo(503);
        assertThat(fourth.body()).contains("all 3 live streams are taken");
        all.forEach(events -> await(events, "figures"));
    }

    @Test
    void aRedisThatIsGoneIsToldAndSoIsItsReturn() throws Exception {
        Scanner events = follow();
        await(events, "figures");
        redis.call("CLIENT", "PAUSE", "2500", "ALL");

        assertThat(await(events, "event: away")).contains("data: \"");
        await(events, "event: figures");
    }

    @Test
    void aStopEndsStreams() throws Exception {
        Scanner events = follow();
        await(events, "figures");
        live.stop(Duration.ofSeconds(5));

        while (events.hasNext()) {
            events.next();
        }
        assertThat(events.ioException()).isNull();
    }
}
