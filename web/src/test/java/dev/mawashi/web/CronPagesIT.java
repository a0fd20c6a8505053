package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CronPagesIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private WebRig rig;

    @BeforeEach
    void start() {
        SERVER.flushAll();
        rig = new WebRig(SERVER, Map.of());
        rig.fill();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    private String page(String path, int status) throws Exception {
        HttpResponse<String> answer = rig.get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return answer.body();
    }

    @Test
    void thePageListsSchedulesWithTheirNextTimeAndLastRun() throws Exception {
        assertThat(page("/cron", 200))
                .contains(
                        "<h1>Cron <small>2</small></h1>",
                        "0 3 * * mon#1 Europe/Berlin",
                        "href=\"/cron/q\"",
                        "href=\"/cron/low%2F50%25%20%22%C3%A9%22%20%3Cb%3E\"",
                        "paused</span>",
                        " enqueued</td>",
                        "action=\"/api/v1/cron/q/resume\"",
                        "action=\"/api/v1/cron/low%2F50%25%20%22%C3%A9%22%20%3Cb%3E/pause\"")
                .doesNotContain("<b>", "a <i>", "null");
    }

    @Test
    void aSchedulesPageHasItsNextTimesAndItsRuns() throws Exception {
        String page = page("/cron/q", 200);
        assertThat(page)
                .contains("2026-11-24T03:00:00", "refused WRONGTYPE", "a &lt;i&gt;", "ada")
                .doesNotContain("null");
        assertThat(page.split("<li><time", -1)).hasSize(11);
        assertThat(page("/cron/low%2F50%25%20%22%C3%A9%22%20%3Cb%3E", 200))
                .contains("No run is known");
    }

    @Test
    void aScheduleThatNoServerHasIsSaidToBeGone() throws Exception {
        assertThat(page("/cron/none", 404)).contains("No server that runs has a schedule");
        assertThat(page("/api/v1/cron/none", 404)).contains("no server that runs has");
    }

    /// As long as the gem's own pauses between two looks.
    @Test
    void aServerThatTakesTwoSecondsToEnqueueAGemsJobIsWaitedFor() throws Exception {
        rig.redis.call("SADD", "cron_jobs", "cron_job:a");
        rig.redis.call("HSET", "cron_job:a", "cron", "* * * * *", "klass", "A");
        CompletableFuture<Void> server = CompletableFuture.runAsync(this::enqueueAfterTwoSeconds);

        HttpResponse<String> answer =
                rig.post("/api/v1/cron/a/run", "{}", "Sec-Fetch-Site", "same-origin");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("\"detail\":\"jid-1\"");
        server.join();
    }

    private void enqueueAfterTwoSeconds() {
        try (RedisConnection redis = SERVER.connect()) {
            Eventually.until(
                    "a request",
                    Duration.ofSeconds(10),
                    () ->
                            redis.call("EXISTS", "mw:cron:asked") instanceof Long count
                                    && count == 1);
            LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
            byte[] request = (byte[]) redis.call("RPOP", "mw:cron:asked");
            String id = new String(request, StandardCharsets.UTF_8).split(" ", 2)[0];
            redis.call("RPUSH", "mw:cron:answer:" + id, "+jid-1");
        }
    }
}
