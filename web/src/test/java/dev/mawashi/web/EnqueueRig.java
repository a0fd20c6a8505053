package dev.mawashi.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.client.JobSink;
import dev.mawashi.http.Access;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.ResqueKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// A web server, and a program that enqueues by it.
final class EnqueueRig implements AutoCloseable {
    static final String ENQUEUER = "enqueuer-secret-0001";
    static final Map<String, String> SECRETS =
            Map.of(
                    "MAWASHI_WEB_ENQUEUER", ENQUEUER,
                    "MAWASHI_WEB_OPERATOR", Poster.OPERATOR,
                    "MAWASHI_WEB_VIEWER", Poster.VIEWER,
                    "MAWASHI_WEB_ADMIN", Poster.ADMIN);

    private static final int LARGE = 1 << 20;
    private static final Pattern JID = Pattern.compile("[0-9a-f]{24}");

    private final HttpClient client = HttpClient.newHttpClient();
    private final WebServer web;

    EnqueueRig(RedisAddress redis) {
        this(redis, UnaryOperator.identity());
    }

    EnqueueRig(RedisAddress redis, UnaryOperator<JobSink> tracing) {
        web =
                WebServer.besideFleet(
                        new WebSettings(
                                Access.of("0", SECRETS), redis, ResqueKeys.DEFAULT, "9", tracing),
                        InstantSource.fixed(WebRig.NOW));
        web.start();
    }

    /// What came back.
    record Reply(int status, String body) {
        List<String> jids() {
            return JID.matcher(body).results().map(found -> found.group()).toList();
        }
    }

    /// @param headers names and values by turns
    Reply post(String body, String... headers) {
        List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
        all.addAll(List.of(headers));
        return post(ENQUEUER, "/api/v1/jobs", body.getBytes(UTF_8), all);
    }

    Reply post(String secret, String path, byte[] body, List<String> headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(web.url() + path))
                        .header("Authorization", "Bearer " + secret)
                        // Else a large one that is refused unread may break before its answer.
                        .expectContinue(body.length > LARGE)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        for (int i = 0; i < headers.size(); i += 2) {
            request.header(headers.get(i), headers.get(i + 1));
        }
        return send(request);
    }

    int get(String secret, String path) {
        return send(HttpRequest.newBuilder(URI.create(web.url() + path))
                        .header("Authorization", "Bearer " + secret))
                .status();
    }

    private Reply send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> answer =
                    client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Reply(answer.statusCode(), answer.body());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /// The same request with an idempotency key.
    Reply keyed(String key, String body) {
        return post(body, "Idempotency-Key", key);
    }

    /// The payloads of a queue, the next to run first.
    static List<String> queue(RedisConnection redis, String queue) {
        return strings(redis, "LRANGE", "queue:" + queue, "0", "-1").reversed();
    }

    /// What Redis answers with a list of strings.
    static List<String> strings(RedisConnection redis, String... command) {
        List<String> strings = new ArrayList<>();
        if (redis.call(command) instanceof List<?> found) {
            found.forEach(one -> strings.add(new String((byte[]) one, UTF_8)));
        }
        return strings;
    }

    static void assertRefused(Reply reply, int status, String why) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.body())
                .startsWith("{\"error\":\"")
                .endsWith("\"}")
                .contains(why)
                .doesNotContain("\n");
    }

    @Override
    public void close() {
        web.stop(Duration.ZERO);
        client.close();
    }
}
