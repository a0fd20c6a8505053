package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a real process writes for Sidekiq's page, takes from it, and leaves alone in a Redis that
/// it shares.
final class SharedRedisIT {
    private static final List<List<String>> FOREIGN =
            List.of(
                    List.of("HSET", "20261121-marks", "2026-11-21T01:48:00Z", "abc123 Deploy"),
                    List.of("SET", "deploylock-abc123 Deploy", "2026-11-21T01:48:00Z"),
                    List.of("ZADD", "profiles", "1795312000.5", "mike-0123456789abcdef01234567"),
                    List.of(
                            "HSET",
                            "mike-0123456789abcdef01234567",
                            "started_at",
                            "1795225600",
                            "data",
                            "\u0001binary"),
                    List.of(
                            "HSET",
                            "it-0123456789abcdef01234567",
                            "ex",
                            "3",
                            "c",
                            "[7]",
                            "rt",
                            "1"),
                    List.of(
                            "HSET",
                            "b-Zm9vYmFyYmF6cX",
                            "pending",
                            "2",
                            "created_at",
                            "1795225600.5"),
                    List.of("SADD", "b-Zm9vYmFyYmF6cX-jids", "a", "b"),
                    List.of("HSET", "cron_job:nightly", "klass", "PlainJob", "cron", "0 3 * * *"),
                    List.of("SADD", "cron_jobs", "cron_job:nightly"),
                    List.of("SET", "lmtr-cfree-api", "1"),
                    List.of("LPUSH", "resque:queue:default", "{\"class\":\"Archive\",\"args\":[]}"),
                    List.of("ZADD", "schedules_changed", "1", "x"),
                    List.of("SET", "app:cache", "7"));

    @TempDir Path folder;

    private static byte[] payload(String fields) {
        return ("{" + fields + ",\"args\":[],\"created_at\":1795225660717}").getBytes(UTF_8);
    }

    /// Each foreign key with its bytes in Redis's own format.
    private static Map<String, String> foreign(Workplace place) {
        Map<String, String> dumps = new TreeMap<>();
        for (List<String> command : FOREIGN) {
            String key = command.get(1);
            dumps.put(key, HexFormat.of().formatHex(place.bytes("DUMP", key)));
        }
        return dumps;
    }

    /// Long: orders are read at a beat, so it waits for some.
    @Tag("long")
    @Test
    void thePageGetsItsFiguresAndGivesItsOrdersAndForeignKeysStayAsTheyAre() {
        try (Workplace place = new Workplace(folder)) {
            FOREIGN.forEach(command -> place.number(command.toArray(String[]::new)));
            Map<String, String> before = foreign(place);
            Child server = place.run(Workplace.NO_GEMS, "-c", "2");
            place.push("default", jobsOfEachOutcome());
            place.await("failed jobs wait", () -> place.number("ZCARD", "retry") == 50);
            place.await("two are dead", () -> place.number("ZCARD", "dead") == 2);
            place.await("the others are done", () -> place.isSettledBy(server));
            place.await("it is seen", () -> !place.strings("SMEMBERS", "processes").isEmpty());
            String identity = Workplace.text(place.strings("SMEMBERS", "processes").getFirst());

            place.number("LPUSH", identity + "-signals", "TTIN", "TSTP", "TERM");

            server.awaitLog("TTIN: running now: 0");
            server.awaitLog("TSTP: claiming no more");
            server.awaitLog("TERM: stopping");
            assertThat(server.awaitExit()).as(server::log).isZero();
            for (String rollup : List.of("j|??????|*:??", "j|??????|*:?")) {
                assertThat(place.counted(rollup, "PlainJob|p")).as(rollup).isEqualTo(50);
                assertThat(place.counted(rollup, "PlainJob|f")).as(rollup).isZero();
                assertThat(place.counted(rollup, "PickyJob|p")).as(rollup).isEqualTo(50);
                assertThat(place.counted(rollup, "PickyJob|f")).as(rollup).isEqualTo(50);
                assertThat(place.counted(rollup, "Shop::MailJob|p")).as(rollup).isEqualTo(50);
                assertThat(place.counted(rollup, "FleetingJob|f")).as(rollup).isOne();
                assertThat(place.counted(rollup, "NoSuchJob|p")).as(rollup).isZero();
            }
            for (String runs : List.of("mw:runs|??????|*:??", "mw:runs|??????|*:?")) {
                assertThat(place.counted(runs, "PlainJob|jruby")).as(runs).isEqualTo(50);
                assertThat(place.counted(runs, "PickyJob|jruby")).as(runs).isEqualTo(50);
            }
            assertThat(place.strings("KEYS", "h|PlainJob-*")).isNotEmpty();
            assertThat(place.strings("KEYS", "h|PickyJob-*")).isEmpty();
            assertThat(place.strings("KEYS", identity + "*")).isEmpty();
            assertThat(place.strings("KEYS", "mw:metrics:*")).isEmpty();
            assertThat(foreign(place)).isEqualTo(before);
        }
    }

    /// 50 fail and are retried, two die, the others are done.
    private static List<byte[]> jobsOfEachOutcome() {
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            payloads.add(payload("\"class\":\"PlainJob\",\"jid\":\"plain" + i + "\""));
            // Due again in hours, however long it takes until the orders are read.
            String picky = "\"class\":\"PickyJob\",\"retry_count\":9,\"jid\":\"picky%d\"";
            payloads.add(payload(picky.formatted(i)));
            payloads.add(
                    payload(
                            "\"class\":\"PlainJob\",\"wrapped\":\"Shop::MailJob\",\"jid\":\"mail%d\""
                                    .formatted(i)));
        }
        payloads.add(payload("\"class\":\"FleetingJob\",\"retry\":0,\"jid\":\"dead\""));
        payloads.add(payload("\"class\":\"NoSuchJob\",\"retry\":0,\"jid\":\"none\""));
        return payloads;
    }
}
