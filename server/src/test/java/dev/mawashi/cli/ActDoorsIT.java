package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.http.Access;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.web.WebServer;
import dev.mawashi.web.WebSettings;
import dev.mawashi.wire.ResqueKeys;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An act leaves the same in the record of changes, through whichever door it came: the command or
/// the API.
final class ActDoorsIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final WebServer WEB =
            WebServer.besideFleet(
                    new WebSettings(
                            Access.of("0", Map.of()), RIG.address(), ResqueKeys.DEFAULT, "9.9.9"),
                    InstantSource.system());

    private final RedisConnection redis = RIG.redis();

    @BeforeAll
    static void start() {
        WEB.start();
    }

    @AfterAll
    static void stop() {
        WEB.stop(Duration.ZERO);
        CLIENT.close();
    }

    private void fill() {
        redis.call("FLUSHALL");
        long now = Instant.now().getEpochSecond();
        for (String jid : List.of("j1", "j2", "j3")) {
            String job =
                    """
                    {"class":"A","queue":"q","args":["x"],"jid":"%s","tags":["vip"],\
                    "created_at":%d.5,"error_class":"E","error_message":"no"}\
                    """
                            .formatted(jid, now - 100_000);
            redis.call("LPUSH", "queue:q", job);
            redis.call("SADD", "queues", "q");
            for (String set : List.of("retry", "schedule", "dead")) {
                redis.call("ZADD", set, "" + (now - 60), job);
            }
        }
        redis.call("HSET", "mw:locks", "abcdefghijklmn", "9999999999999 j1 A");
        redis.call("ZADD", "mw:cron:files", "1", "digest");
        redis.call(
                "SET",
                "mw:cron:file:digest",
                "[{\"name\":\"nightly\",\"cron\":\"@daily\",\"zone\":\"UTC\","
                        + "\"class\":\"A\",\"queue\":\"other\",\"missed\":\"one\"}]");
        redis.call(
                "RPUSH",
                "resque:failed",
                """
                {"payload":{"class":"A","args":["x"]},"exception":"E","error":"no","queue":"q"}\
                """);
    }

    /// The newest record, without whose and when it was.
    private String record() {
        assertThat(RIG.run("audit", "--json", "--limit", "1")).isZero();
        return RIG.out()
                .toString()
                .strip()
                .replaceAll("\"(id|at|who|role|address)\":\"[^\"]*\",", "");
    }

    private String awaitRecord() throws InterruptedException {
        String record = record();
        while (record.contains("\"state\":\"begun\"")) {
            Thread.onSpinWait();
            record = record();
        }
        return record;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    dead delete --older 2h | dead/delete | "older":"2h"
                    dead delete --newer 2d | dead/delete | "newer":"2d"
                    dead delete --tag vip --text x | dead/delete | "tag":"vip","text":"x"
                    dead delete --after=-2h --queue q | dead/delete | "after":"-2h","queue":"q"
                    dead delete --before 2h --error no | dead/delete | "before":"2h","error":"no"
                    dead delete --all | dead/delete | "of":"all"
                    dead retry j1 | dead/retry | "jid":"j1"
                    dead requeue --class A --to low | dead/requeue | "class":"A","to":"low"
                    retries retry j2 j1 | retries/retry | "jid":["j2","j1"]
                    retries bury --tag vip | retries/bury | "tag":"vip"
                    retries reschedule j1 --at 2027-01-01T00:00:00Z | retries/reschedule | "jid":"j1","at":"2027-01-01T00:00:00Z"
                    scheduled run --older 1d | scheduled/run | "older":"1d"
                    scheduled clear --yes | scheduled/clear |
                    queues delete q --tag vip --older 3h | queues/q/delete-jobs | "tag":"vip","older":"3h"
                    queues move q low --newer 2d | queues/q/move | "to":"low","newer":"2d"
                    queues clear q --yes | queues/q/clear |
                    queues pause q | queues/q/pause |
                    queues unpause q | queues/q/unpause |
                    cron pause nightly | cron/nightly/pause |
                    cron resume nightly | cron/nightly/resume |
                    locks free abcdefghijklmn | locks/abcdefghijklmn/free |
                    failed requeue --class A --text x | failed/requeue | "class":"A","text":"x"
                    failed remove --error no --queue q | failed/remove | "error":"no","queue":"q"
                    failed remove --all | failed/remove | "of":"all"
                    """)
    void anActIsRecordedAlike(String command, String path, String fields) throws Exception {
        fill();
        assertThat(RIG.run(command.split(" "))).as(RIG.err().toString()).isZero();
        String byCommand = awaitRecord();

        fill();
        HttpRequest post =
                HttpRequest.newBuilder(URI.create(WEB.url() + "/api/v1/" + path))
                        .header("Content-Type", "application/json")
                        .header("Sec-Fetch-Site", "same-origin")
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        "{" + (fields == null ? "" : fields) + "}"))
                        .build();
        HttpResponse<String> answer = CLIENT.send(post, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 202);

        assertThat(byCommand).contains("\"state\":\"done\"");
        assertThat(awaitRecord()).isEqualTo(byCommand);
    }
}
