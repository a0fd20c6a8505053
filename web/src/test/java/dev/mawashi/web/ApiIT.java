package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.mawashi.redis.RedisServerForTests;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What programs read, over HTTP and on a real Redis.
final class ApiIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final ObjectMapper JSON = new ObjectMapper();

    private WebRig rig;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.flushAll();
        rig = new WebRig(SERVER, Map.of());
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private JsonNode read(String path) throws Exception {
        HttpResponse<String> answer = rig.get(path);
        assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        return JSON.readTree(answer.body());
    }

    private String error(String path, int status) throws Exception {
        HttpResponse<String> answer = rig.get(path);
        assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        return JSON.readTree(answer.body()).get("error").textValue();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// The jids of all parts of a list.
    private List<String> all(String path) throws Exception {
        List<String> jids = new ArrayList<>();
        JsonNode part = read(path);
        for (int parts = 0; parts < 1_000; parts++) {
            part.get("jobs").forEach(job -> jids.add(job.get("jid").asText()));
            if (part.get("next").isNull()) {
                return jids;
            }
            part = read(part.get("next").textValue());
        }
        throw new AssertionError("no end: " + path);
    }

    @Test
    void changesAreReadByTheirIds() throws Exception {
        rig.fill();
        JsonNode newest = read("/api/v1/acts?limit=1").get("acts");
        assertThat(newest).hasSize(1);
        assertThat(read("/api/v1/acts/00000000000000aa")).isEqualTo(newest.get(0));
        assertThat(newest.get(0).get("who").asText()).isEqualTo("ada");
        assertThat(error("/api/v1/acts/00000000000000ab", 404)).contains("no change of late");
    }

    @Test
    void theFiguresAreThoseOfTheCommands() throws Exception {
        rig.fill();
        JsonNode stats = read("/api/v1/stats");
        assertThat(stats.get("processed").asLong()).isEqualTo(12);
        assertThat(stats.get("enqueued").asLong()).isEqualTo(3);
        assertThat(stats.get("durability").get("grade").asText()).isEqualTo("D0");
        assertThat(read("/api/v1/queues").get("queues")).hasSize(2);
        assertThat(read("/api/v1/queues").get("resque"))
                .hasToString("[{\"name\":\"mail\",\"size\":1,\"workers\":0}]");
        assertThat(read("/api/v1/queues/q").get("served").asBoolean()).isTrue();
        assertThat(read("/api/v1/busy").get("jobs").get(0).get("jid").asText()).isEqualTo("w");
        assertThat(read("/api/v1/processes").get("processes")).hasSize(1);
        assertThat(read("/api/v1/processes/web-1:7:aa").get("beat_age").asDouble()).isEqualTo(0.5);
        assertThat(read("/api/v1/redis").get("version").asText()).matches("\\d+\\.\\d+.*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"retries", "scheduled", "dead", "queues/q/jobs"})
    void aListOf120IsPagedToItsEndWithEachJobOnce(String list) throws Exception {
        String set =
                list.equals("retries") ? "retry" : list.equals("scheduled") ? "schedule" : list;
        for (int i = 0; i < 120; i++) {
            String job = WebRig.job("%03d".formatted(i), "");
            rig.redis.call("ZADD", set.startsWith("q") ? "retry" : set, "" + (i / 7), job);
            rig.redis.call("LPUSH", "queue:q", job);
        }
        List<String> wanted = IntStream.range(0, 120).mapToObj("%03d"::formatted).toList();
        wanted = list.equals("dead") ? wanted.reversed() : wanted;
        for (String query :
                List.of("", "?limit=1", "?limit=119", "?from=0", "?class=AJob&limit=7")) {
            assertThat(all("/api/v1/" + list + query)).as(query).isEqualTo(wanted);
        }
        JsonNode part = read("/api/v1/" + list + "?limit=7&class=AJob");
        assertThat(part.get("total").asInt()).isEqualTo(120);
        assertThat(part.get("looked").asInt()).isEqualTo(7);
        assertThat(read("/api/v1/" + list + "?from=119").get("jobs")).hasSize(1);
        assertThat(read("/api/v1/" + list + "?from=5000").get("jobs")).isEmpty();
    }

    @Test
    void anEntryIsShownWithItsPayloadAndBacktrace() throws Exception {
        rig.fill();
        JsonNode row = read("/api/v1/retries").get("jobs").get(0);
        assertThat(row.get("args").toString()).isEqualTo("[1,{\"k\":\"v\"}]");
        assertThat(row.get("key").asText()).isEqualTo("1795521600.25-r");
        assertThat(row.has("backtrace")).isFalse();
        JsonNode whole = read("/api/v1/retries/" + encoded(row.get("key").asText()));
        assertThat(whole.get("raw").asText()).startsWith("{\"class\":\"AJob\"");
        assertThat(whole.get("backtrace").get(0).asText()).isEqualTo("a.rb:1");
        JsonNode traced = read("/api/v1/retries?backtrace=1").get("jobs").get(0);
        assertThat(traced.get("backtrace")).hasSize(1);
        assertThat(error("/api/v1/retries/5-r", 404)).contains("not in this set");
        assertThat(error("/api/v1/retries/x", 404)).contains("not in this set");
    }

    @Test
    void whatIsNoJobIsShownByItsBytes() throws Exception {
        for (String odd : List.of("", "no json", "[1]", "{\"class\":", "\u001b[2J", "{}x")) {
            rig.redis.call("ZADD", "dead", "5", odd);
            rig.redis.call("LPUSH", "queue:q", odd);
        }
        for (String path : List.of("/api/v1/dead", "/api/v1/queues/q/jobs")) {
            JsonNode jobs = read(path).get("jobs");
            assertThat(jobs).hasSize(6);
            jobs.forEach(job -> {
                assertThat(job.get("malformed").isNull()).isFalse();
                assertThat(job.get("args").isNull()).isTrue();
            });
        }
        assertThat(read("/api/v1/dead/5-").get("raw").isTextual()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a/b", "50%", "é ü", "\"q\"", "a\nb", "..", "a;b", "x?y#z", "+", "*", "\\"})
    void aQueueMayHaveAnyName(String name) throws Exception {
        rig.redis.call("SADD", "queues", name);
        rig.redis.call("LPUSH", "queue:" + name, WebRig.job("a", ""), WebRig.job("b", ""));
        String path = "/api/v1/queues/" + (name.equals("..") ? "%2E%2E" : encoded(name));
        HttpResponse<String> answer = rig.get(path);
        if (answer.statusCode() == 400) {
            // What no address can name is refused before it is read; the list has it.
            assertThat(name).isIn("..", "a\nb", "\\", "a;b");
            assertThat(read("/api/v1/queues").get("queues").get(0).get("name").asText())
                    .isEqualTo(name);
            return;
        }
        assertThat(JSON.readTree(answer.body()).get("name").asText()).isEqualTo(name);
        assertThat(all(path + "/jobs?limit=1")).containsExactly("a", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {".*", "[[[[", "(a+)+$", "*", "%", "\\", "\u0000", "'; --"})
    void aSearchIsMeantLiterally(String odd) throws Exception {
        rig.fill();
        rig.redis.call("ZADD", "dead", "7", WebRig.job("other", ",\"tags\":[\"x\"]"));
        String value = encoded(odd);
        for (String field : List.of("class", "queue", "error", "text", "jid", "tag")) {
            JsonNode part = read("/api/v1/dead?" + field + "=" + value);
            assertThat(part.get("jobs").size()).as(field).isLessThanOrEqualTo(1);
            assertThat(part.get("looked")).isEqualTo(part.get("among"));
        }
        assertThat(read("/api/v1/dead?text=" + "x".repeat(10_000)).get("jobs")).isEmpty();
    }

    @Test
    void jobsAreFoundByTagAgeAndTime() throws Exception {
        rig.fill();
        assertThat(all("/api/v1/dead?tag=vip")).containsExactly("d");
        assertThat(all("/api/v1/dead?tag=vi")).isEmpty();
        assertThat(all("/api/v1/scheduled?older=9m")).hasSize(3);
        assertThat(all("/api/v1/scheduled?older=11m")).isEmpty();
        assertThat(all("/api/v1/queues/q/jobs?newer=11m")).hasSize(3);
        JsonNode due = read("/api/v1/scheduled?before=2s");
        assertThat(due.get("jobs")).hasSize(2);
        assertThat(due.get("among").asInt()).isEqualTo(2);
        assertThat(due.get("total").asInt()).isEqualTo(3);
        assertThat(all("/api/v1/dead?after=-2m&before=2026-11-24T12:00:00Z")).containsExactly("d");
    }

    @Test
    void resquesFailuresAreReadInPartsToo() throws Exception {
        rig.fill();
        JsonNode part = read("/api/v1/failed?limit=1");
        assertThat(part.get("jobs").get(0).get("payload").get("class").asText()).isEqualTo("Old");
        part = read(part.get("next").textValue());
        assertThat(part.get("jobs").get(0).toString())
                .isEqualTo("{\"list\":\"failed\",\"raw\":\"no record\"}");
        assertThat(part.get("looked").asInt()).isEqualTo(2);
        assertThat(read("/api/v1/failed?class=Old").get("jobs")).hasSize(2);
    }

    @Test
    void whatMakesNoSenseIsToldSo() throws Exception {
        assertThat(error("/api/v1/dead?older=soon", 400))
                .startsWith("older soon is not a time: write");
        assertThat(error("/api/v1/dead?clas=A", 400)).startsWith("there is no parameter clas here");
        assertThat(error("/api/v1/stats?x=1", 400)).endsWith("nor any other");
        assertThat(error("/api/v1/queues/none", 404)).contains("no such queue");
        assertThat(error("/api/v1/processes/none", 404)).contains("no such process");
        assertThat(error("/api/v1/none", 404)).isNotEmpty();
        HttpRequest.Builder put =
                HttpRequest.newBuilder(URI.create(rig.web.url() + "/api/v1/stats"))
                        .method("PUT", HttpRequest.BodyPublishers.noBody());
        HttpResponse<String> answer = rig.send(put);
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(JSON.readTree(answer.body()).get("error").asText()).contains("GET");
    }

    @Test
    void aKeyOfAWrongTypeAndARedisThatIsAwayAreToldAsJson() throws Exception {
        rig.redis.call("SET", "retry", "x");
        assertThat(error("/api/v1/retries", 502))
                .startsWith("Redis refuses this: the key retry ")
                .contains("redis-cli TYPE", "WRONGTYPE");
        rig.redis.call("CLIENT", "PAUSE", "3000", "ALL");
        assertThat(error("/api/v1/dead", 503)).startsWith("Redis is not answering");
        assertThat(error("/stats", 503)).startsWith("Redis is not answering");
    }

    @Test
    void whoMayNotLookGetsAnErrorAsJson() throws Exception {
        String secret = "a-viewers-secret";
        try (WebRig shut = new WebRig(SERVER, Map.of("MAWASHI_WEB_VIEWER", secret))) {
            for (String path : List.of("/api/v1/stats", "/api/v1/openapi.json", "/api/v1/dead")) {
                HttpResponse<String> answer = shut.get(path);
                assertThat(answer.statusCode()).isEqualTo(401);
                assertThat(JSON.readTree(answer.body()).get("error").asText()).isNotEmpty();
                assertThat(shut.get(path, "Authorization", "Bearer " + secret).statusCode())
                        .isEqualTo(200);
            }
            assertThat(shut.get("/stats").statusCode()).isEqualTo(401);
        }
    }

    /// The fields that `/stats` of Sidekiq 6.4.1 has.
    @Test
    void monitorsOfSidekiqsPageFindItsFields() throws Exception {
        rig.fill();
        JsonNode stats = read("/stats");
        assertThat(stats.fieldNames())
                .toIterable()
                .containsExactly("sidekiq", "redis", "server_utc_time");
        assertThat(stats.get("sidekiq").toString())
                .isEqualTo(
                        "{\"processed\":12,\"failed\":0,\"busy\":1,\"processes\":1,\"enqueued\":3,"
                                + "\"scheduled\":3,\"retries\":1,\"dead\":2,\"default_latency\":0.0}");
        assertThat(stats.get("redis").fieldNames())
                .toIterable()
                .containsExactly(
                        "redis_version",
                        "uptime_in_days",
                        "connected_clients",
                        "used_memory_human",
                        "used_memory_peak_human");
        assertThat(stats.get("redis").get("uptime_in_days").asText()).isEqualTo("0");
        assertThat(stats.get("server_utc_time").asText()).isEqualTo("12:00:00 UTC");
        assertThat(read("/sidekiq/stats").get("sidekiq")).isEqualTo(stats.get("sidekiq"));
        assertThat(read("/stats/queues").toString()).isEqualTo("{\"q\":3,\"low/50% \\\"é\\\"\":0}");
    }
}
