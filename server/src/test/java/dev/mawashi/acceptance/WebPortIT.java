package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page inside real servers, and its probes beside them.
final class WebPortIT {
    private static final String SECRET = "viewer-secret-0001";
    private static final Pattern URL = Pattern.compile("(?:metrics|page is) at (http://[^\\s,]+)");

    @TempDir Path folder;

    private final Caller caller = new Caller();

    @AfterEach
    void close() {
        caller.close();
    }

    private static List<String> urls(Child server) {
        return URL.matcher(server.log()).results().map(found -> found.group(1)).toList();
    }

    private static String page(Child server) {
        return urls(server.awaitLog("the page, probes and metrics at http")).getLast();
    }

    private static String port(String url) {
        return url.replaceFirst(".*:", "");
    }

    private static long identities(Workplace place) {
        return place.number("SCARD", "processes");
    }

    @Test
    void thePageIsThereFromBeforeRedisUntilAllHasEnded() {
        try (Workplace place = new Workplace(folder)) {
            place.killRedis();
            Child server = place.runOnMri(Workplace.NO_GEMS, "-c", "2", "--web", "0", "-t", "20");
            String url = page(server);
            place.await("it waits", () -> caller.tells(url + "/health/ready", 503, "Redis"));
            assertThat(caller.tells(url + "/queues", 503, "Redis is not answering")).isTrue();
            assertThat(caller.tells(url + "/health/live", 200, "ok")).isTrue();

            place.startRedis();
            place.await("it is ready", () -> caller.tells(url + "/health/ready", 200, "ok"));
            place.pushJobs(1, "long", "GateJob", "[\"gate\"]");
            place.await("it is shown", () -> caller.tells(url + "/busy", 200, "GateJob"));
            assertThat(caller.get(url + "/metrics").body())
                    .contains("mawashi_slots{capsule=\"default\",runner=\"mri\"} 2.0\n")
                    .contains("mawashi_redis_up 1.0\n");

            server.signal("TERM");
            place.await("it stops", () -> caller.tells(url + "/health/ready", 503, "stopping"));
            assertThat(caller.get(url + "/queues").statusCode()).isEqualTo(200);
            place.open("gate");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(place.ledger().byJid("end")).containsKey("long0");
        }
    }

    @Test
    void aRedisThatGoesIsToldAndJobsGoOnOnceItIsBack() {
        try (Workplace place = new Workplace(folder)) {
            Child server = place.runOnMri(Workplace.NO_GEMS, "-c", "2", "--web", "0");
            String url = page(server);
            place.await("it is ready", () -> caller.tells(url + "/health/ready", 200, "ok"));
            place.killRedis();
            place.await(
                    "a page tells", () -> caller.tells(url + "/", 503, "Redis is not answering"));
            place.await("a scrape", () -> caller.tells(url + "/metrics", 200, "_redis_up 0.0\n"));
            place.startRedis();
            place.await("a page is back", () -> caller.tells(url + "/", 200, "Overview"));
            place.pushJobs(3, "after", "PlainJob", "[]");
            // Redis has lost this process's lease too, so one of them may run twice.
            place.await("jobs run", () -> place.ledger().byJid("end").size() == 3);
        }
    }

    @Test
    void atAnyOtherAddressItWantsASecret() throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), SECRET + "\n");
        try (Workplace place = new Workplace(folder)) {
            Child bare = place.run(Workplace.NO_GEMS, "--web", "0.0.0.0:0");
            assertThat(bare.awaitExit()).as(bare::log).isEqualTo(2);
            assertThat(bare.logLines())
                    .first()
                    .asString()
                    .contains("0.0.0.0:0 can be called from other machines: set MAWASHI_WEB_");

            Child guarded =
                    place.runOnMri(
                            Map.of("MAWASHI_WEB_VIEWER_FILE", file.toString()),
                            "--web",
                            "0.0.0.0:0");
            String url = page(guarded).replace("0.0.0.0", "127.0.0.1");
            assertThat(caller.get(url + "/queues").statusCode()).isEqualTo(401);
            assertThat(caller.get(url + "/metrics").statusCode()).isEqualTo(401);
            assertThat(caller.get(url + "/health/live").statusCode()).isEqualTo(200);
            assertThat(
                            caller.get(url + "/queues", "Authorization", "Bearer " + SECRET)
                                    .statusCode())
                    .isEqualTo(200);
        }
    }

    /// Long: two servers; `BrowserIT` has the same of `mawashi web`.
    @Tag("long")
    @Test
    void aPortThatIsTakenEndsTheStartWithOneLineAndTheRemedy() {
        try (Workplace place = new Workplace(folder)) {
            Child first = place.runOnMri(Workplace.NO_GEMS, "--web", "0");
            String port = port(page(first));
            place.await("it works", () -> identities(place) == 1);
            Child second = place.runOnMri(Workplace.NO_GEMS, "--web", port);

            assertThat(second.awaitExit()).isOne();
            assertThat(second.logLines())
                    .filteredOn(line -> line.contains("listen"))
                    .singleElement()
                    .asString()
                    .contains(
                            "cannot listen at 127.0.0.1:" + port,
                            "Address already in use",
                            "give another port");
            assertThat(second.log()).doesNotContain("\tat ");
            assertThat(identities(place)).isOne();
        }
    }

    /// Long: two servers more; HealthPortIT has probes on a port of their own.
    @Tag("long")
    @Test
    void probesHaveAPortOfTheirOwnUnlessItIsThePages() {
        try (Workplace place = new Workplace(folder)) {
            Child apart = place.runOnMri(Workplace.NO_GEMS, "--web", "0", "--health", "0");
            page(apart);
            List<String> urls = urls(apart);
            assertThat(urls).hasSize(2).doesNotHaveDuplicates();
            for (String url : urls) {
                assertThat(caller.get(url + "/health/live").statusCode()).isEqualTo(200);
                assertThat(caller.get(url + "/metrics").body()).contains("mawashi_ready");
            }
            assertThat(caller.get(urls.getFirst() + "/queues").statusCode()).isEqualTo(404);
            String port = port(urls.getLast());
            apart.kill();

            Child one =
                    place.runOnMri(
                            Workplace.NO_GEMS, "--web", port, "--health", "localhost:" + port);
            assertThat(page(one)).endsWith(":" + port);
            assertThat(urls(one)).hasSize(1);
        }
    }

    /// Long: two servers more; LeftProgramsIT has the port of a server that is gone.
    @Tag("long")
    @Test
    void afterKillNineTheNextServerHasThePortAtOnceThoughChildrenLived() {
        try (Workplace place = new Workplace(folder)) {
            Child first = place.run(Workplace.DEBIAN_GEMS, "--runner", "mri", "--web", "0");
            String url = page(first);
            place.await("it is ready", () -> caller.tells(url + "/health/ready", 200, "ok"));
            first.kill();

            Child second = place.runOnMri(Workplace.NO_GEMS, "--web", port(url));
            page(second);
            place.await("it is ready", () -> caller.tells(url + "/health/ready", 200, "ok"));
        }
    }

    /// Long: three starts; LimitsIT has the process that starts anew.
    @Tag("long")
    @Test
    void aProcessThatStartsAnewInItsPlaceTakesItsPortAlong() {
        try (Workplace place = new Workplace(folder)) {
            Child scout = place.mawashi(Workplace.NO_GEMS, "web", "0");
            String port = port(urls(scout.awaitLog("page is at http")).getFirst());
            scout.signal("TERM");
            assertThat(scout.awaitExit()).isZero();

            Child server = place.run(Workplace.NO_GEMS, "-c", "1", "--web", port);
            page(server);
            place.pushJobs(1, "deaf", "DeafJob", "[\"deaf\"],\"time_limit\":1");
            server.awaitLog("starting anew");
            place.await("it listens again", () -> urls(server).size() == 2);
            String ready = urls(server).getLast() + "/health/ready";

            assertThat(port(urls(server).getLast())).isEqualTo(port);
            place.await("it is ready", () -> caller.tells(ready, 200, "ok"));
        }
    }

    /// Long: two starts; PoisonIT has the process for suspects.
    @Tag("long")
    @Test
    void theProcessForSuspectsLeavesThePortToItsServer() {
        try (Workplace place = new Workplace(folder)) {
            place.number("SADD", "mw:queues", "default");
            place.number(
                    "RPUSH",
                    "mw:{queue:default}:suspects",
                    "{\"class\":\"GateJob\",\"args\":[\"gate\"],\"jid\":\"first\"}");
            Child server = place.run(Workplace.NO_GEMS, "-c", "1", "-t", "20", "--web", "0");
            String url = page(server);
            place.await("it runs", () -> place.ledger().byJid("start").containsKey("first"));

            assertThat(urls(server)).hasSize(1);
            assertThat(server.log()).doesNotContain("cannot listen");
            assertThat(caller.tells(url + "/health/ready", 200, "ok")).isTrue();
            place.open("gate");
            place.await("it ends", () -> place.ledger().byJid("end").containsKey("first"));
        }
    }

    @Test
    void besideAFleetThePageAnswersProbesAndScrapesForItself() {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(2, "waits", "PlainJob", "[]");
            Child web = place.mawashi(Workplace.NO_GEMS, "web", "0");
            String url = urls(web.awaitLog("page is at http")).getFirst();

            assertThat(caller.get(url + "/health/ready").body()).isEqualTo("ok\n");
            assertThat(caller.get(url + "/metrics").body())
                    .contains("mawashi_redis_up 1.0\n")
                    .contains("mawashi_queue_depth{queue=\"default\"} 2.0\n")
                    .contains("jvm_memory_used_bytes{area=\"heap\"}")
                    .doesNotContain("mawashi_ready", "mawashi_slots", "mawashi_runs_total");
            place.killRedis();
            place.await("it tells", () -> caller.tells(url + "/health/ready", 503, "Redis"));
            assertThat(caller.get(url + "/health/live").body()).isEqualTo("ok\n");
            web.signal("TERM");
            assertThat(web.awaitExit()).isZero();
        }
    }

    @Test
    void theDemosPageStaysUpUntilCtrlCWithSomethingOnEachPage() {
        try (Workplace place = new Workplace(folder)) {
            String home = Path.of("..").toAbsolutePath().normalize().toString();
            Map<String, String> checkout =
                    Map.of("JAVA_TOOL_OPTIONS", "'-Dmawashi.home=" + home + "'");
            Child demo = place.mawashi(checkout, "demo", "--web", "0");
            String url = urls(demo.awaitLog("The page is at http")).getLast();
            Map.of(
                            "/queues", "/queues/reports",
                            "/retries", "the bank refuses",
                            "/scheduled", "Hello::Reminder",
                            "/dead", "has no header",
                            "/busy", "Hello::Export",
                            "/processes", "works")
                    .forEach((path, text) ->
                            place.await(
                                    path + " has " + text,
                                    () -> caller.tells(url + path, 200, text)));
            demo.signal("INT");

            assertThat(demo.awaitExit()).as(demo::log).isZero();
        }
    }
}
