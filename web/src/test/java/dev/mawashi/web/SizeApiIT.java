package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.mawashi.redis.RedisServerForTests;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `GET /api/v1/scale` and its metric, over HTTP and on a real Redis.
final class SizeApiIT {
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

    private JsonNode read(String query) throws Exception {
        HttpResponse<String> answer = rig.get("/api/v1/scale" + query);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body()).get("pools");
    }

    /// The process of the rig has 5 slots and runs one job; of the queue's class nothing has run.
    @Test
    void theNumberHasItsFiguresAndItsReason() throws Exception {
        rig.fill();
        rig.redis.call("HSET", "web-1:7:aa", "busy", "5");

        assertThat(read("").get(0).toString())
                .isEqualTo(
                        "{\"queues\":[\"q\"],\"processes\":1,\"slots\":5,\"busy\":5,\"waiting\":3,"
                                + "\"latency\":0.0,\"run_seconds\":null,\"utilisation\":1.0,"
                                + "\"drain_seconds\":null,\"wanted\":2,"
                                + "\"reason\":\"100 % of the slots are busy, more than 85 %\"}");
        assertThat(read("?queue=q&max=1").get(0).get("wanted").asInt()).isEqualTo(1);
        assertThat(read("?queue=q&queue=low*&min=7&max=9").get(0).get("wanted").asInt())
                .isEqualTo(7);
        assertThat(rig.get("/metrics").body())
                .contains("mawashi_scale_processes{queues=\"q\"} 2.0\n");
    }

    @Test
    void aQueueThatNobodyServesHasNoNumberAndNoMetric() throws Exception {
        rig.fill();
        rig.redis.call("DEL", "web-1:7:aa");

        assertThat(read("")).isEmpty();
        JsonNode pool = read("?queue=q").get(0);
        assertThat(pool.get("wanted").isNull()).isTrue();
        assertThat(pool.get("reason").asText()).startsWith("no live process takes jobs of these");
        assertThat(rig.get("/metrics").body())
                .contains("mawashi_redis_up 1.0")
                .doesNotContain("mawashi_scale_processes{");
    }

    @ParameterizedTest
    @CsvSource({
        "?min=3&max=2, 400, 'min 3 is above max 2: give a min of at most max'",
        "?min=0, 400, 'min 0 makes no sense: give 1 to 10000 processes'",
        "?max=-1, 400, 'max -1 makes no sense: give 1 to 10000 processes'",
        "?max=999999999, 400, 'max 999999999 makes no sense: give 1 to 10000 processes'",
        "?latency=99999999999, 400, 'latency is one whole number: give it as latency=30'",
        "?drain=1.5, 400, 'drain is one whole number: give it as drain=120'",
        "?drain=, 400, 'drain is one whole number: give it as drain=120'",
        "?drain=1&drain=2, 400, 'drain is one whole number: give it as drain=120'",
        "?queue=none, 404, 'there is no queue none: see mawashi queues for their names'",
        "?queue=q&queue=x*, 404, 'there is no queue x*: see mawashi queues for their names'",
        "?queues=q, 400, 'there is no parameter queues here, only drain, latency, max, min, queue'",
    })
    void whatMakesNoSenseIsRefused(String query, int status, String error) throws Exception {
        rig.fill();

        HttpResponse<String> answer = rig.get("/api/v1/scale" + query);

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(JSON.readTree(answer.body()).get("error").asText()).isEqualTo(error);
    }

    @Test
    void aKeyOfAWrongTypeIsToldAsJson() throws Exception {
        rig.redis.call("SET", "processes", "x");

        assertThat(rig.get("/api/v1/scale").statusCode()).isEqualTo(502);
    }
}
