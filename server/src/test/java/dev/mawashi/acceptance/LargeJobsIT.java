package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.cli.ReadingCommands;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.web.GetPaths;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whoever looks at jobs of 15 MB has a heap of 256 MB, of which all jobs together take a multiple:
/// a server with a page, and commands. A heap that is too small ends the process, and the jobs that
/// run in it.
@Tag("long")
final class LargeJobsIT {
    private static final int LARGE = 15 << 20;
    private static final int QUEUES = 20;
    private static final int MANY = 3;

    /// How a read with a query may end: not all take these fields.
    private static final List<Integer> ENDS = List.of(200, 303, 400, 404);

    /// In a far future: nothing is due.
    private static final String SCORE = "99999999999";

    private static final Pattern URL = Pattern.compile("page, probes and metrics at (http\\S+)");
    private static final Pattern NAME = Pattern.compile("\\{(\\w+)}");
    private static final String QUERY = "?text=y&class=A&limit=100";

    @TempDir private static Path folder;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static Workplace place;
    private static Child server;
    private static String url = "";
    private static String identity = "";
    private static String slot = "";

    @BeforeAll
    static void fillAndStart() {
        place = new Workplace(folder);
        fill();
        server =
                place.start(
                        "mawashi",
                        small(
                                Programs.mawashiCommand(
                                        "run",
                                        "-r",
                                        Workplace.APP,
                                        "-c",
                                        "2",
                                        "-q",
                                        "default",
                                        "--web",
                                        "0")),
                        Workplace.NO_GEMS);
        Matcher page = URL.matcher(server.awaitLog("page, probes and metrics at http").log());
        assertThat(page.find()).isTrue();
        url = page.group(1).replaceAll("[,;]$", "");
        place.pushJobs(1, "long", "GateJob", "[\"gate\"]");
        place.await("a job runs", () -> place.ledger().count("start", "GateJob") == 1);
        place.await("a process says so", () -> !place.strings("KEYS", "*:*:*:work").isEmpty());
        String work = Workplace.text(place.strings("KEYS", "*:*:*:work").getFirst());
        identity = work.replaceAll(":work$", "");
        slot = Workplace.text(place.strings("HKEYS", work).getFirst());
    }

    /// The same with a small heap.
    private static List<String> small(List<String> command) {
        List<String> small = new ArrayList<>(command);
        small.add(small.indexOf("-cp"), "-Xmx256m");
        return small;
    }

    private static void fill() {
        String large = "x".repeat(LARGE);
        String job =
                "{\"class\":\"A\",\"queue\":\"q-1\",\"args\":[\""
                        + large
                        + "\"],\"jid\":\"%s\",\"enqueued_at\":1}";
        try (RedisConnection redis =
                new RedisConnection(
                        RedisAddress.parse(place.redisUrl()), "fill", Duration.ofSeconds(60))) {
            redis.call("LPUSH", "queue:q-1", job.formatted("q"));
            redis.call("SADD", "queues", "q-1");
            redis.call("SADD", "resque:queues", "q-1");
            redis.call("COPY", "queue:q-1", "resque:queue:q-1");
            for (int i = 2; i <= QUEUES; i++) {
                redis.call("SADD", "queues", "q-" + i);
                redis.call("COPY", "queue:q-1", "queue:q-" + i);
            }
            for (int i = 0; i < MANY; i++) {
                redis.call("LPUSH", "queue:q-1", job.formatted("q" + i));
                redis.call("ZADD", "retry", SCORE, job.formatted("large" + i));
                redis.call(
                        "RPUSH",
                        "resque:failed",
                        "{\"error\":\"a\",\"payload\":" + job.formatted("f" + i) + "}");
            }
            redis.call("COPY", "retry", "schedule");
            redis.call("COPY", "retry", "dead");
            redis.call("SADD", "processes", "p");
            redis.call("HSET", "p", "info", "{\"tag\":\"" + large + "\"}", "busy", "1");
            redis.call("HSET", "p:work", "t", "{\"payload\":" + job.formatted("w") + "}");
            redis.call("SADD", "resque:workers", "w:1:q-1");
            redis.call("SET", "resque:worker:w:1:q-1", "{\"payload\":" + job.formatted("w") + "}");
            redis.call("SADD", "mw:queues", "q-1");
            redis.call("ZADD", "mw:{queue:q-1}:leases", "9999999999999", "p#1");
            redis.call("HSET", "mw:{queue:q-1}:inflight:p#1", "1", job.formatted("i"));
        }
    }

    @AfterAll
    static void jobsHaveGoneOn() {
        try {
            place.pushJobs(20, "after", "PlainJob", "[]");
            place.open("gate");
            place.await("all ran", () -> place.ledger().byJid("end").size() == 21);
            assertThat(place.ledger().count("start", "GateJob")).isEqualTo(1);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        } finally {
            CLIENT.close();
            place.close();
        }
    }

    /// The addresses of all that reads, with something that there is for each name in them.
    private static List<String> addresses() {
        List<String> addresses = new ArrayList<>();
        for (String template : GetPaths.templates(place.redisUrl())) {
            String path =
                    NAME.matcher(template)
                            .replaceAll(name ->
                                    Matcher.quoteReplacement(
                                            switch (name.group(1)) {
                                                case "identity" -> identity;
                                                case "slot" -> slot;
                                                case "key" -> SCORE + "-large0";
                                                case "list" -> "failed";
                                                case "place" -> "0";
                                                case "name" -> "q-1";
                                                default -> name.group(1);
                                            }));
            addresses.add(path);
        }
        return addresses;
    }

    /// @return the status; of a stream only the first bytes are read
    private static int ask(String address) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + address))
                        .timeout(Duration.ofSeconds(60))
                        .build();
        try {
            HttpResponse<InputStream> answer =
                    CLIENT.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                String type = answer.headers().firstValue("Content-Type").orElse("");
                if (type.startsWith("text/event-stream")) {
                    body.read();
                } else {
                    body.transferTo(OutputStream.nullOutputStream());
                }
            }
            return answer.statusCode();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(address + ": " + e + "\n" + server.log(), e);
        }
    }

    /// @return the status, once it is not that there is no room for one more
    private static int askAgain(String address) {
        int[] status = {0};
        Eventually.until(
                address,
                Child.LIMIT,
                () -> {
                    status[0] = ask(address);
                    return status[0] != 503;
                });
        return status[0];
    }

    @Test
    void everyPageScrapeAndReadIsAnswered() {
        List<String> all = addresses();
        assertThat(all).hasSizeGreaterThan(30);
        List<String> others = new ArrayList<>();
        for (String one : all) {
            int status = askAgain(one);
            if (status != 200) {
                others.add(one + " " + status);
            }
        }
        // Nobody has done anything yet.
        assertThat(others).containsExactly("/api/v1/acts/id 404");
    }

    @Test
    void everyPageScrapeAndReadIsAnsweredToTwoAtOnce() throws Exception {
        List<String> all = addresses();
        List<String> others = new ArrayList<>();
        all.reversed().forEach(one -> others.add(one + QUERY));
        try (ExecutorService clients = Executors.newFixedThreadPool(2)) {
            List<Future<?>> asked = new ArrayList<>();
            for (List<String> order : List.of(all, others)) {
                asked.add(
                        clients.submit(() ->
                                order.forEach(
                                        one -> assertThat(askAgain(one)).as(one).isIn(ENDS))));
            }
            for (Future<?> one : asked) {
                one.get();
            }
        }
    }

    @Test
    void everyCommandThatReadsEndsWell() {
        List<String> command =
                new ArrayList<>(
                        Programs.mawashiCommand("QUEUE=q-1", "ID=" + identity, "JID=long0"));
        command.replaceAll(word ->
                word.equals("dev.mawashi.cli.Main") ? ReadingCommands.class.getName() : word);
        Child commands = place.start("commands", small(command), Workplace.NO_GEMS);
        assertThat(commands.awaitExit()).as(commands::log).isZero();
    }
}
