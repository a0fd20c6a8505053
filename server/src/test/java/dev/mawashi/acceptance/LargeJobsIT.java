package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

    private static final String QUERY = "?text=y&class=A&limit=100";

    @TempDir private static Path folder;

    private static Workplace place;
    private static Child server;
    private static String url = "";
    private static AllReads reads;

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
        url = AllReads.page(server);
        place.pushJobs(1, "long", "GateJob", "[\"gate\"]");
        place.await("a job runs", () -> place.ledger().count("start", "GateJob") == 1);
        reads = new AllReads(place, "large0");
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
                redis.call("ZADD", "retry", AllReads.SCORE, job.formatted("large" + i));
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
            reads.close();
            place.close();
        }
    }

    /// @return the status, once it is not that there is no room for one more
    private static int askAgain(String address) {
        int[] status = {0};
        Eventually.until(
                address,
                Child.LIMIT,
                () -> {
                    status[0] = reads.ask(url + address).status();
                    return status[0] != 503;
                });
        return status[0];
    }

    @Test
    void everyPageScrapeAndReadIsAnswered() {
        List<String> all = reads.paths();
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
        List<String> all = reads.paths();
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
        Child commands = place.start("commands", small(reads.commands("long0")), Workplace.NO_GEMS);
        // Each of 46 calls reads jobs of 15 MB, and each is made twice: 35 s of two idle cores.
        assertThat(commands.awaitExit(Duration.ofMinutes(5))).as(commands::log).isZero();
    }
}
