package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What can be done to processes, to what runs, and to Resque's failures; and by whom.
final class FleetActsIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final String ONE = "web-1:4711:0f3a";
    private static final String OTHER = "web-2:4712:1b5d";

    private final RedisConnection redis = SERVER.connect();
    private Poster poster;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.flushAll();
        poster = new Poster(SERVER.url(), InstantSource.system(), Map.of());
        for (String identity : List.of(ONE, OTHER)) {
            redis.call("SADD", "processes", identity);
            redis.call("HSET", identity, "info", "{\"queues\":[\"q\"]}", "busy", "0");
        }
    }

    @AfterEach
    void close() {
        poster.close();
        redis.close();
    }

    private List<String> signals(String identity) {
        return texts("LRANGE", identity + "-signals", "0", "-1");
    }

    private List<String> texts(String... command) {
        return ((List<?>) Objects.requireNonNull(redis.call(command)))
                .stream().map(one -> new String((byte[]) one, StandardCharsets.UTF_8)).toList();
    }

    @Test
    void oneProcessIsQuietedOrStoppedAtItsNextBeat() {
        assertThat(poster.page(poster.form("processes/" + ONE + "/quiet")))
                .contains(ONE + " will take no more jobs at its next beat.");
        assertThat(signals(ONE)).containsExactly("TSTP");
        assertThat(poster.form("processes/" + OTHER + "/stop").body())
                .contains("Stop " + OTHER + "?");
        assertThat(signals(OTHER)).isEmpty();
        assertThat(poster.form("processes/" + OTHER + "/stop", "sure", "yes").statusCode())
                .isEqualTo(303);
        assertThat(signals(OTHER)).containsExactly("TERM");
        HttpResponse<String> gone = poster.json("processes/nobody/stop", "{}");
        assertThat(gone.statusCode()).isEqualTo(404);
        assertThat(texts("KEYS", "nobody*")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"restart", "reload"})
    void aProcessThatCannotBeAskedIsLeftAloneAndSaysWhy(String act) {
        HttpResponse<String> mute = poster.json("processes/" + ONE + "/" + act, "{}");
        assertThat(mute.statusCode()).isEqualTo(409);
        assertThat(mute.body()).contains("it takes no questions");
        assertThat(texts("LRANGE", "mw:audit", "0", "-1")).isEmpty();
    }

    @Test
    void allProcessesAreToldAtOnceButThoseWithinOtherPrograms() {
        redis.call("HSET", OTHER, "info", "{\"queues\":[],\"embedded\":true}");
        assertThat(poster.done("processes/quiet", "{}")).contains("\"touched\":1");
        assertThat(poster.done("processes/stop", "{}")).contains("\"touched\":1");
        assertThat(signals(ONE)).containsExactly("TERM", "TSTP");
        assertThat(signals(OTHER)).isEmpty();
        assertThat(poster.json("processes/" + OTHER + "/stop", "{}").statusCode()).isEqualTo(409);
    }

    @Test
    void aJobIsCancelledWhereItWaits() {
        redis.call("ZADD", "retry", "5", "{\"jid\":\"a\",\"class\":\"A\"}");
        assertThat(poster.done("busy/cancel", "{\"jid\":\"a\"}"))
                .contains("deleted from retry", "\"touched\":1");
        assertThat(poster.page(poster.form("busy/cancel", "jid", "a"))).contains("Job a: nowhere");
        for (String body : List.of("{}", "{\"jid\":\"a\",\"run\":\"b-1\"}", "{\"run\":\"b\"}")) {
            assertThat(poster.json("busy/cancel", body).statusCode()).as(body).isEqualTo(400);
        }
    }

    @Test
    void aJobThatRunsIsEndedByItsProcess() throws Exception {
        redis.call("SADD", "mw:queues", "q");
        redis.call("ZADD", "mw:{queue:q}:leases", "9999999999999", ONE + "#1");
        redis.call("HSET", "mw:{queue:q}:inflight:" + ONE + "#1", "1", "{\"jid\":\"a\"}");
        Thread process =
                Thread.startVirtualThread(() -> {
                    try (RedisConnection its = SERVER.connect()) {
                        while (its.call("ZSCORE", "mw:cancelled", "a") == null) {
                            Thread.onSpinWait();
                        }
                        its.call("HDEL", "mw:{queue:q}:inflight:" + ONE + "#1", "1");
                        its.call("ZREM", "mw:cancelled", "a");
                    }
                });
        assertThat(poster.done("busy/cancel", "{\"jid\":\"a\"}"))
                .contains("ended in " + ONE, "\"touched\":1");
        process.join();
    }

    @Test
    void resquesFailuresAreRequeuedRemovedAndCleared() {
        for (String name : List.of("A", "B", "C")) {
            redis.call(
                    "RPUSH",
                    "resque:failed",
                    ("{\"payload\":{\"class\":\"%s\",\"args\":[]},\"queue\":\"low\","
                                    + "\"error\":\"E\",\"exception\":\"X\"}")
                            .formatted(name));
        }
        assertThat(poster.done("failed/requeue", "{\"class\":\"A\"}")).contains("\"touched\":1");
        assertThat(texts("LRANGE", "resque:queue:low", "0", "-1")).hasSize(1);
        assertThat(poster.done("failed/remove", "{\"class\":\"B\"}")).contains("\"touched\":1");
        assertThat(poster.json("failed/remove", "{}").statusCode()).isEqualTo(400);
        assertThat(poster.done("failed/clear", "{}")).contains("\"touched\":2");
        assertThat(texts("LRANGE", "resque:failed", "0", "-1")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "queues/q/pause,200,403",
        "queues/q/unpause,200,403",
        "queues/q/clear,403,403",
        "cron/none/pause,404,403",
        "cron/none/resume,404,403",
        "cron/none/run,404,403",
        "locks/none/free,404,403",
        "queues/q/delete-jobs,403,403",
        "queues/q/move,400,403",
        "retries/retry,400,403",
        "retries/reschedule,400,403",
        "retries/requeue,400,403",
        "retries/bury,400,403",
        "retries/delete,403,403",
        "retries/clear,403,403",
        "scheduled/run,400,403",
        "scheduled/clear,403,403",
        "dead/retry,400,403",
        "dead/delete,403,403",
        "dead/clear,403,403",
        "busy/cancel,400,403",
        "processes/quiet,200,403",
        "processes/stop,403,403",
        "processes/x/quiet,404,403",
        "processes/x/reload,404,403",
        "processes/x/restart,404,403",
        "processes/x/stop,403,403",
        "failed/requeue,400,403",
        "failed/remove,403,403",
        "failed/clear,403,403",
        "acts/0123456789abcdef/undo,404,403",
        "acts/0123456789abcdef/end,404,403",
    })
    void eachActWantsItsRole(String path, int operator, int viewer) {
        try (Poster guarded = new Poster(SERVER.url(), InstantSource.system(), Poster.secrets())) {
            assertThat(guarded.json(path, "{}").statusCode()).isEqualTo(401);
            assertThat(guarded.bearer(Poster.VIEWER, path, "{}").statusCode()).isEqualTo(viewer);
            HttpResponse<String> answer = guarded.bearer(Poster.OPERATOR, path, "{}");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(operator);
            assertThat(guarded.bearer(Poster.ADMIN, path, "{}").statusCode()).isNotIn(401, 403);
        }
    }

    @Test
    void onlyAnAdminBuriesAllAndTheRecordHasWhoDidWhat() {
        try (Poster guarded = new Poster(SERVER.url(), InstantSource.system(), Poster.secrets())) {
            assertThat(
                            guarded.bearer(Poster.OPERATOR, "retries/bury", "{\"of\":\"all\"}")
                                    .statusCode())
                    .isEqualTo(403);
            assertThat(guarded.bearer(Poster.ADMIN, "retries/bury", "{\"of\":\"all\"}").body())
                    .contains("\"role\":\"admin\"", "\"address\":\"127.0.0.1\"");
        }
        assertThat(texts("LRANGE", "mw:audit", "0", "-1")).hasSize(1);
    }

    @Test
    void theRecordIsKeptWithinItsLimit() {
        for (int i = 0; i < 1_010; i++) {
            redis.call("LPUSH", "mw:audit", "{\"id\":\"%016x\"}".formatted(i));
        }
        poster.json("queues/q/pause", "");
        assertThat(texts("LRANGE", "mw:audit", "0", "-1")).hasSize(1_000);
        assertThat(poster.get("/audit").body()).contains("Queue q is paused.");
    }
}
