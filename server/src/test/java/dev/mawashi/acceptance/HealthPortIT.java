package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Probes and scrapes of real servers.
final class HealthPortIT {
    private static final String SECRET = "viewer-secret-0001";
    private static final Pattern URL = Pattern.compile("probes and metrics at (http://\\S+)");
    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (mawashi_\\w+) ");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(mawashi_\\w+)");

    @TempDir Path folder;

    private final Caller caller = new Caller();

    @AfterEach
    void close() {
        caller.close();
    }

    private static String url(Child server) {
        Matcher matcher = URL.matcher(server.awaitLog("probes and metrics at ").log());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1).replace("0.0.0.0", "127.0.0.1");
    }

    @Test
    void readyFollowsWhatTheServerCanDoAndLiveStays() {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(5, "plain", "PlainJob", "[]");
            Child server =
                    place.runOnMri(Workplace.NO_GEMS, "-c", "2", "--health", "0", "-t", "20");
            String url = url(server);
            String ready = url + "/health/ready";
            String live = url + "/health/live";
            place.await("it is ready", () -> caller.tells(ready, 200, "ok"));
            assertThat(server.log()).doesNotContain("jetty");
            place.await(
                    "five ran",
                    () ->
                            caller.tells(
                                    url + "/metrics",
                                    200,
                                    "mawashi_runs_total{capsule=\"default\",outcome=\"succeeded\","
                                            + "runner=\"mri\"} 5.0\n"));
            assertThat(caller.get(url + "/metrics").body())
                    .contains("mawashi_run_seconds_count{class=\"PlainJob\",runner=\"mri\"} 5\n")
                    .contains("mawashi_redis_up 1.0\n");
            place.await(
                    "a beat", () -> caller.tells(url + "/metrics", 200, "mawashi_processes 1.0\n"));

            place.pushJobs(1, "long", "GateJob", "[\"gate\"]");
            place.await("it runs", () -> place.ledger().count("start", "GateJob") == 1);
            server.signal("TSTP");
            place.await("it is quiet", () -> caller.tells(ready, 503, "quiet"));
            assertThat(caller.get(live).statusCode()).isEqualTo(200);
            server.signal("TERM");
            place.await("it stops", () -> caller.tells(ready, 503, "stopping"));
            assertThat(caller.get(live).statusCode()).isEqualTo(200);
            place.open("gate");

            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    /// Long: WebPortIT has the same of a Redis that goes.
    @Tag("long")
    @Test
    void withoutRedisItIsNotReadyAndTellsWhatItKnows() {
        try (Workplace place = new Workplace(folder)) {
            Child server = place.runOnMri(Workplace.NO_GEMS, "-c", "2", "--health", "0");
            String url = url(server);
            place.await("it is ready", () -> caller.tells(url + "/health/ready", 200, "ok"));
            place.killRedis();
            place.await("Redis is gone", () -> caller.tells(url + "/health/ready", 503, "Redis"));
            assertThat(caller.get(url + "/health/live").statusCode()).isEqualTo(200);
            place.await(
                    "a scrape tells", () -> caller.tells(url + "/metrics", 200, "_redis_up 0.0\n"));
            assertThat(caller.get(url + "/metrics").body())
                    .contains("mawashi_ready 0.0\n")
                    .contains("mawashi_slots{capsule=\"default\",runner=\"mri\"} 2.0\n")
                    .doesNotContain("mawashi_queue_depth{");
            place.startRedis();
            place.await("it is ready again", () -> caller.tells(url + "/health/ready", 200, "ok"));
            place.await(
                    "a scrape tells", () -> caller.tells(url + "/metrics", 200, "_redis_up 1.0\n"));
        }
    }

    /// Long: WebPortIT starts so too.
    @Tag("long")
    @Test
    void beforeRedisIsThereItIsLiveAndNotReady() {
        try (Workplace place = new Workplace(folder)) {
            place.killRedis();
            Child server = place.runOnMri(Workplace.NO_GEMS, "--health", "0");
            String url = url(server);

            place.await("it waits", () -> caller.tells(url + "/health/ready", 503, "Redis"));
            assertThat(caller.get(url + "/health/live").body()).isEqualTo("ok\n");
        }
    }

    /// Long: two servers; WebPortIT has the same of the page.
    @Tag("long")
    @Test
    void atAnyOtherAddressMetricsWantASecretAndProbesNone() {
        Map<String, String> environment = new HashMap<>(Workplace.NO_GEMS);
        environment.put("MAWASHI_WEB_VIEWER", SECRET);
        try (Workplace place = new Workplace(folder)) {
            String shut = url(place.runOnMri(Workplace.NO_GEMS, "--health", "0.0.0.0:0"));
            assertThat(caller.get(shut + "/health/live").statusCode()).isEqualTo(200);
            assertThat(caller.get(shut + "/metrics").statusCode()).isEqualTo(401);

            String open = url(place.runOnMri(environment, "--health", "0.0.0.0:0"));
            assertThat(caller.get(open + "/health/live").statusCode()).isEqualTo(200);
            assertThat(caller.get(open + "/metrics").statusCode()).isEqualTo(401);
            assertThat(caller.get(open + "/metrics", "Authorization", "Bearer wrong").statusCode())
                    .isEqualTo(401);
            assertThat(caller.get(open + "/metrics", "Authorization", "Bearer " + SECRET).body())
                    .contains("mawashi_redis_up");
        }
    }

    /// Long: BrowserIT has the same of the page.
    @Tag("long")
    @Test
    void aPortThatIsTakenIsOneLine() {
        try (Workplace place = new Workplace(folder)) {
            String url = url(place.runOnMri(Workplace.NO_GEMS, "--health", "0"));
            String port = url.replaceFirst(".*:", "");
            Child second = place.runOnMri(Workplace.NO_GEMS, "--health", port);

            assertThat(second.awaitExit()).isOne();
            assertThat(second.log()).contains("cannot listen at 127.0.0.1:" + port);
        }
    }

    /// Prometheus's own linter, and the guide's table, over a real scrape.
    @Test
    void metricsAreAsPrometheusWantsThemAndAsTheGuideListsThem() throws Exception {
        try (Workplace place = new Workplace(folder)) {
            // Its metric is there once a job has expired.
            String late = "{\"class\":\"PlainJob\",\"jid\":\"late\",\"args\":[],\"expiry\":1}";
            place.push("default", List.of(late.getBytes(StandardCharsets.UTF_8)));
            place.pushJobs(1, "plain", "PlainJob", "[]");
            String url = url(place.runOnMri(Workplace.NO_GEMS, "-c", "2", "--health", "0"));
            place.await(
                    "one ran",
                    () ->
                            caller.tells(
                                    url + "/metrics",
                                    200,
                                    "_run_seconds_count{class=\"PlainJob\",runner=\"mri\"} 1"));
            place.await(
                    "alarms are judged",
                    () -> caller.tells(url + "/metrics", 200, "mawashi_suspect_jobs 0.0"));
            String scrape = caller.get(url + "/metrics").body();
            Path file = folder.resolve("scrape.txt");
            Files.writeString(file, scrape);
            Process lint =
                    new ProcessBuilder("promtool", "check", "metrics")
                            .redirectInput(file.toFile())
                            .redirectErrorStream(true)
                            .start();
            String complaints =
                    new String(lint.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String guide = Files.readString(Path.of("../docs/guide/metrics.md"));

            assertThat(complaints).doesNotContain("mawashi_");
            assertThat(lint.waitFor()).as(complaints).isIn(0, 3);
            assertThat(names(TYPE, scrape)).isEqualTo(names(ROW, guide)).hasSizeGreaterThan(20);
        }
    }

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
