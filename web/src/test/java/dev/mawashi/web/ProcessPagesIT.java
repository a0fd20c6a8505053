package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.answer.Answering;
import dev.mawashi.answer.Answers;
import dev.mawashi.answer.JvmFigures;
import dev.mawashi.event.Outage;
import dev.mawashi.fleet.Questions;
import dev.mawashi.http.Access;
import dev.mawashi.pages.Links;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the pages say of processes, some of which answer through a real Redis.
final class ProcessPagesIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String OURS = "web-1:1:aa";
    private static final String THEIRS = "<b>:2:bb";
    private static final String DEAD = "web-3:3:cc";

    private static final String STACK =
            """
            {"slot":"1z","jid":"j1","class":"Report","queue":"low","run_ms":61000,\
            "runner":"mri","pid":4711,"thread":null,"ruby":["app.rb:3:in '<sleep>'",\
            "app.rb:2:in 'perform'"],"java":[],"locked_by":"Load j2 in mawashi-slot-2"}\
            """;

    private final RedisConnection redis = SERVER.connect();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Answering answering =
            new Answering(
                    () -> new Questions(SERVER.connect(), OURS),
                    new Scripted(),
                    _ -> {},
                    new Outage(_ -> {}, System::nanoTime));
    private final WebServer web =
            WebServer.besideFleet(
                    new WebSettings(
                            Access.of("0", Map.of()),
                            RedisAddress.parse(SERVER.url()),
                            ResqueKeys.DEFAULT,
                            "9.9.9"),
                    InstantSource.fixed(NOW));

    private static final class Scripted implements Answers {
        private final JvmFigures figures = new JvmFigures();

        @Override
        public String jvm() {
            return figures.take().json();
        }

        @Override
        public String threads() {
            return "main:\n    <script>alert(1)</script>\n";
        }

        @Override
        public String stacks(String jobClass) {
            return "[" + STACK + "]";
        }

        @Override
        public String stack(String slot) {
            if (slot.equals("1z")) {
                return STACK;
            }
            throw new Unanswerable("no job runs in slot " + slot);
        }

        @Override
        public String children() {
            return """
            [{"pid":4711,"generation":2,"capsule":"default","runner":"mri","state":"stopped","busy":1,\
            "slots":5,"memory_kib":20480,"started_at":"2026-11-24T11:59:00Z"}]\
            """;
        }

        @Override
        public String heap(String pid) {
            if (pid.isEmpty()) {
                return "{\"file\":\"/tmp/jvm-1.hprof\",\"bytes\":2097152}";
            }
            throw new Unanswerable(pid + " is no child of the runner mri");
        }

        @Override
        public String restart() {
            throw new Unanswerable("not now");
        }

        @Override
        public String reload() {
            throw new Unanswerable("not here");
        }

        @Override
        public String generations() {
            return """
            {"state":"failed","generation":2,"reason":"no <b>such</b> thing\\nat jobs.rb:1",\
            "generations":[{"number":1,"children":1,"busy":3},{"number":2,"children":1,"busy":1}]}\
            """;
        }
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.flushAll();
        web.start();
        answering.start();
    }

    @AfterEach
    void close() {
        web.stop(Duration.ZERO);
        answering.stop(LONG);
        client.close();
        redis.close();
    }

    private void processes() {
        redis.call("SADD", "processes", OURS, THEIRS, DEAD);
        String info = "{\"tag\":\"<i>\",\"queues\":[\"low\"],\"started_at\":1.5}";
        String own =
                "{\"capsules\":[{\"name\":\"default\",\"runner\":\"mri\",\"slots\":5,\"busy\":1}],"
                        + "\"children\":2,\"cpu_ms\":1500,\"gc_ms\":20,\"alarms\":[{\"name\":"
                        + "\"heap_full\",\"text\":\"the heap is <i>\",\"since\":"
                        + "\"2026-11-26T12:00:00Z\"}]}";
        redis.call("HSET", THEIRS, "info", info, "busy", "1", "beat", "2.5");
        for (String mawashi : new String[] {OURS, DEAD}) {
            redis.call("HSET", mawashi, "info", info, "busy", "1", "mawashi", own);
        }
        redis.call(
                "HSET",
                OURS + ":work",
                "1z",
                "{\"queue\":\"low\",\"payload\":\"{\\\"class\\\":\\\"Report\\\",\\\"jid\\\":"
                        + "\\\"j1\\\",\\\"args\\\":[]}\",\"run_at\":1795521600,\"runner\":\"mri\","
                        + "\"pid\":4711}");
    }

    private HttpResponse<String> get(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(web.url() + path)).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private String page(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).doesNotContain("<b>:2", "<i>", "<script>alert", "<sleep>");
        return answer.body();
    }

    @Test
    void theListsLeadToEachProcessAndToWhereEachJobIs() throws Exception {
        processes();

        assertThat(page("/processes"))
                .contains(
                        "href=\"/processes/web-1%3A1%3Aaa\"",
                        "href=\"/processes/%3Cb%3E%3A2%3Abb\"")
                .contains(">mri</span>", "2 children", "1.5 s");
        assertThat(page("/busy")).contains("href=\"/busy/web-1%3A1%3Aaa/1z\"", "mri child 4711");
    }

    @Test
    void aProcessTellsAllOfItself() throws Exception {
        processes();

        assertThat(page("/processes/" + Links.segment(OURS)))
                .contains("Capsule default</dt><dd>mri, 1 of 5", "<dt>Lease</dt><dd>none")
                .contains("4711", ">stopped</span>", "20 MB")
                .contains("generation 2 goes on: no &lt;b&gt;such&lt;/b&gt; thing")
                .contains("Generation 2 gets new jobs; 3 jobs run on older code")
                .contains("Code cache", "Metaspace", "MaxHeapSize")
                .contains("href=\"/processes/web-1%3A1%3Aaa/threads\"")
                .doesNotContain("there is no answer");
        assertThat(page("/processes/" + Links.segment(OURS) + "/threads"))
                .contains("&lt;script&gt;alert(1)");
        assertThat(page("/busy/" + Links.segment(OURS) + "/1z"))
                .contains("Report", "app.rb:3:in ", "&lt;sleep&gt;", "process 4711");
    }

    @Test
    void alarmsStandOnTheOverviewAndAtTheirProcess() throws Exception {
        assertThat(page("/")).doesNotContain("heap_full");
        processes();

        assertThat(page("/"))
                .contains(
                        "<b>heap_full</b> the heap is &lt;i&gt;, since <time"
                                + " datetime=\"2026-11-26T12:00:00Z\"",
                        "in <a href=\"/processes/web-1%3A1%3Aaa\">");
        assertThat(page("/processes/" + Links.segment(OURS)))
                .contains("<b>heap_full</b> the heap is &lt;i&gt;");
        assertThat(get("/api/v1/processes").body())
                .contains(
                        "\"alarms\":[{\"name\":\"heap_full\",\"text\":\"the heap is <i>\","
                                + "\"since\":\"2026-11-26T12:00:00Z\"}]");
    }

    @Test
    void whoDoesNotAnswerIsShownWithWhatItsRecordSaysAndWhy() throws Exception {
        processes();

        assertThat(page("/processes/" + Links.segment(THEIRS)))
                .contains(
                        "it takes no questions: it is a process of Sidekiq",
                        "<dt>Busy</dt><dd>1 of")
                .doesNotContain("Lease", "threads\"");
        assertThat(page("/processes/" + Links.segment(DEAD)))
                .contains("it did not answer in time", "Capsule default");
        for (String path :
                new String[] {
                    "/processes/none",
                    "/processes/none/threads",
                    "/processes/queues",
                    "/busy/none/1",
                    "/busy/" + Links.segment(OURS) + "/20",
                    "/busy/" + Links.segment(OURS) + "/a%20b",
                    "/busy/" + Links.segment(THEIRS) + "/1"
                }) {
            assertThat(get(path).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(get("/busy/" + Links.segment(OURS) + "/20").body())
                .contains("There is no answer: no job runs in slot 20.");
    }

    @Test
    void programsAskProcessesToo() throws Exception {
        processes();
        String ours = "/api/v1/processes/" + Links.segment(OURS);

        assertThat(get("/api/v1/jvm").body())
                .startsWith("{\"machines\":[{\"identity\":\"web-1:1:aa\",\"jvm\":{\"java\":\"")
                .contains(
                        "},\"problem\":null},{\"identity\":\"web-3:3:cc\",\"jvm\":null,\"problem\":\"it did not")
                .endsWith("],\"more\":0}");
        assertThat(get(ours + "/jvm").body())
                .startsWith("{\"jvm\":{\"java\":\"")
                .endsWith("},\"problem\":null}");
        assertThat(get(ours + "/children").body())
                .startsWith("{\"children\":[{\"pid\":4711,")
                .endsWith("],\"problem\":null}");
        assertThat(get(ours + "/generations").body())
                .startsWith("{\"generations\":{\"state\":\"failed\",")
                .endsWith("},\"problem\":null}");
        assertThat(get(ours + "/threads").body())
                .isEqualTo(
                        "{\"threads\":\"main:\\n    <script>alert(1)</script>\\n\",\"problem\":null}");
        assertThat(get("/api/v1/busy/" + Links.segment(OURS) + "/1z").body())
                .startsWith("{\"stack\":{\"slot\":\"1z\",\"jid\":\"j1\",");
        assertThat(get("/api/v1/busy/" + Links.segment(OURS) + "/20").body())
                .isEqualTo("{\"stack\":null,\"problem\":\"no job runs in slot 20\"}");
        assertThat(get("/api/v1/processes/" + Links.segment(THEIRS) + "/jvm").body())
                .startsWith("{\"jvm\":null,\"problem\":\"it takes no questions: ");
        assertThat(get("/api/v1/processes/none/jvm").statusCode()).isEqualTo(404);
    }

    @Test
    void theFiguresOfAllMachinesStandOnOnePage() throws Exception {
        assertThat(page("/jvm")).contains("No process of Mawashi's works");

        processes();

        assertThat(page("/jvm"))
                .contains("Java virtual machines <small>2</small>")
                .contains("Heap</dt>", "Collections</dt>", "<progress max=")
                .contains("it did not answer in time")
                .doesNotContain("%3Cb%3E");
    }

    @Test
    void runningJobsAreSampledAndDrawn() throws Exception {
        processes();
        assertThat(page("/processes/" + Links.segment(OURS)))
                .contains("href=\"/profile?what=web-1%3A1%3Aaa\"");
        assertThat(page("/busy/" + Links.segment(OURS) + "/1z"))
                .contains("href=\"/profile?what=j1\"", "Load j2 in mawashi-slot-2");
        assertThat(page("/profile?what=Report"))
                .contains("value=\"Report\"")
                .doesNotContain("<svg class");
        for (String what : new String[] {"j1", "Report", Links.segment(OURS), ""}) {
            assertThat(page("/profile?seconds=1&what=" + what))
                    .contains("<svg class=\"flame\"", "<title>app.rb:3:in '&lt;sleep&gt;': 100.0 %")
                    .contains(
                            "<td>a lock that another thread holds: Load j2 in mawashi-slot-2</td>")
                    .contains("app.rb:2:in ");
        }
        assertThat(page("/profile?seconds=1&what=Other"))
                .contains("no job of Other ran in a process of Mawashi meanwhile")
                .doesNotContain("<svg class");
        for (String seconds : new String[] {"0", "11", "x", "-1", "999999999999"}) {
            assertThat(page("/profile?seconds=" + seconds)).contains("seconds is 1 to 10");
            assertThat(get("/api/v1/profile?seconds=" + seconds).statusCode()).isEqualTo(400);
        }
        assertThat(get("/api/v1/profile?what=Report").body())
                .startsWith("{\"profile\":{\"samples\":")
                .contains("\"waits\":[{\"for\":\"a lock that another thread holds: Load j2")
                .endsWith("},\"problem\":null}");
    }

    @Test
    void whenRedisIsAwayThePagesSaySo() throws Exception {
        processes();
        SERVER.kill();
        try {
            for (String path :
                    new String[] {"/jvm", "/processes/a", "/busy/a/1", "/profile?seconds=1"}) {
                HttpResponse<String> answer = get(path);
                assertThat(answer.statusCode()).as(path).isEqualTo(503);
                assertThat(answer.body()).contains("Redis is not answering");
            }
        } finally {
            SERVER.crashAndStart();
        }
    }
}
