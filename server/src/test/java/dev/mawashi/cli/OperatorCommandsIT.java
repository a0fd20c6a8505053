package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The commands that look at and act on jobs and queues, as they are called, on a real Redis.
final class OperatorCommandsIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private final RedisConnection redis = RIG.redis();
    private final StringWriter out = RIG.out();
    private final StringWriter err = RIG.err();

    @Test
    void cancelDeletesAJobOrSaysThatItIsNowhere() {
        fill("retry", 3);

        assertThat(run("cancel", "j1")).isZero();
        assertThat(out).hasToString("job j1 was deleted from retry\n");
        assertThat(redis.call("ZCARD", "retry")).isEqualTo(2L);
        assertThat(run("cancel", "j1")).isOne();
        assertThat(out.toString()).isEmpty();
        assertThat(err)
                .hasToString(
                        "mawashi: job j1 is in no queue, in neither schedule nor retry, and does"
                                + " not run\n");
        assertThat(run("cancel", "j1", "--json")).isOne();
        assertThat(out)
                .hasToString(
                        "{\"act\":\"cancel\",\"jid\":\"j1\",\"state\":\"nowhere\",\"places\":[]}\n");
        assertThat(run("cancel", "j2", "--json")).isZero();
        assertThat(out.toString()).contains("\"state\":\"deleted\",\"places\":[\"retry\"]");
        assertThat(run("cancel")).isEqualTo(2);
        assertThat(run("cancel", "")).isEqualTo(2);
        redis.call("SET", "mw:cancelled", "x");
        assertThat(run("cancel", "j0")).isOne();
        assertThat(err.toString()).contains("mw:cancelled");
    }

    private int run(String... arguments) {
        return RIG.run(arguments);
    }

    private void fill(String set, int jobs) {
        for (int i = 0; i < jobs; i++) {
            redis.call(
                    "ZADD",
                    set,
                    Integer.toString(1_795_225_700 + i),
                    """
                    {"class":"%s","args":[%d],"jid":"j%d","queue":"low","retry_count":1,\
                    "created_at":1795225600.5,"error_class":"E","error_message":"no %d"}\
                    """
                            .formatted(i % 2 == 0 ? "Even" : "Odd", i, i, i));
        }
    }

    private void push(String queue, int jobs) {
        redis.call("SADD", "queues", queue);
        for (int i = 0; i < jobs; i++) {
            String job = "{\"class\":\"A\",\"args\":[" + i + "],\"jid\":\"j" + i + "\"}";
            redis.call("LPUSH", "queue:" + queue, job);
        }
    }

    private long number(String... command) {
        return redis.call(command) instanceof Long value ? value : -1;
    }

    @Test
    void setsAreListedAsATable() {
        fill("retry", 3);

        assertThat(run("retries", "--limit", "2")).isEqualTo(Main.DONE);

        assertThat(out.toString())
                .isEqualTo(
                        """
                        next try              queue  jid  class  args  failures  error
                        2026-11-21T01:48:20Z  low    j0   Even   [0]   2         E: no 0
                        2026-11-21T01:48:21Z  low    j1   Odd    [1]   2         E: no 1
                        """);
        assertThat(err.toString()).isEqualTo("2 of 3 jobs, see more with --limit\n");
    }

    @Test
    void jobsAreOneJsonObjectALineAndOddOnesToo() {
        fill("dead", 1);
        redis.call("ZADD", "dead", "1", "no\u001b json");

        assertThat(run("dead", "--json")).isEqualTo(Main.DONE);

        assertThat(out.toString().lines())
                .containsExactly(
                        """
                        {"jid":"j0","class":"Even","queue":"low","args":[0],\
                        "at":"2026-11-21T01:48:20Z","created_at":"2026-11-21T01:46:40.500Z",\
                        "enqueued_at":null,"failed_at":null,"retried_at":null,"retry_count":1,\
                        "error_class":"E","error_message":"no 0","tags":[],\
                        "key":"1795225700-j0","score":1795225700,"malformed":null,"raw":null}\
                        """,
                        """
                        {"jid":null,"class":null,"queue":null,"args":null,\
                        "at":"1970-01-01T00:00:01Z","created_at":null,"enqueued_at":null,\
                        "failed_at":null,"retried_at":null,"retry_count":null,\
                        "error_class":null,"error_message":null,"tags":[],\
                        "key":"1-","score":1,\
                        "malformed":"expected a value but found 'n' at byte 0",\
                        "raw":"no\\u001b json"}\
                        """);
        assertThat(run("dead")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("(malformed)", "no? json");
    }

    @Test
    void jobsAreChosenByTagAgeAndTime() {
        fill("dead", 30);
        redis.call(
                "ZADD",
                "dead",
                "1795225800",
                "{\"class\":\"A\",\"args\":[],\"jid\":\"t\",\"tags\":[\"vip\"]}");

        assertThat(run("dead", "--tag", "vip", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString().lines()).hasSize(1).allMatch(line -> line.contains("\"t\""));
        assertThat(run("dead", "--older", "2026-11-21", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString()).isEmpty();
        assertThat(run("dead", "--newer", "2026-11-21", "--limit", "99", "--json")).isZero();
        assertThat(out.toString().lines()).hasSize(30);
        assertThat(run("dead", "--after", "1795225725", "--before", "1795225728", "--json"))
                .isEqualTo(Main.DONE);
        assertThat(out.toString().lines()).hasSize(3);
        assertThat(run("dead", "delete", "--before", "1795225710", "--yes")).isEqualTo(Main.DONE);
        assertThat(number("ZCARD", "dead")).isEqualTo(21);
        assertThat(run("dead", "--older", "soon")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("--older soon is not a time: write 90, 90s");
    }

    @Test
    void filtersChooseWhatIsListedAndTouched() {
        fill("dead", 30);

        assertThat(run("dead", "--class", "Odd", "--error", "no 2", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString().lines()).hasSize(5).allMatch(line -> line.contains("\"Odd\""));

        assertThat(run("dead", "delete", "--class", "Odd", "--error", "no 2")).isEqualTo(Main.DONE);
        assertThat(out.toString()).isEqualTo("5 jobs of dead were deleted\n");
        assertThat(number("ZCARD", "dead")).isEqualTo(25);
    }

    @Test
    void moreThanTenAreTouchedOnlyWithYes() {
        fill("retry", 11);

        for (List<String> act :
                List.of(
                        List.of("retries", "delete", "--all"),
                        List.of("retries", "retry", "--queue", "low"),
                        List.of("retries", "clear"))) {
            assertThat(run(act.toArray(String[]::new))).isEqualTo(Main.WRONG_USE);
            assertThat(err.toString()).contains("11 jobs of retry", "--yes").hasLineCount(1);
            assertThat(number("ZCARD", "retry")).isEqualTo(11);
        }

        List<String> words =
                new ArrayList<>(List.of("retries", "bury", "--all", "--yes", "--json"));
        assertThat(run(words.toArray(String[]::new))).isEqualTo(Main.DONE);
        assertThat(out.toString())
                .isEqualTo(
                        """
                        {"act":"bury","of":"retry","touched":11,"gone":0,"malformed":0,"trimmed":0}
                        """);
        assertThat(number("ZCARD", "dead")).isEqualTo(11);
    }

    @Test
    void buryingThatWouldTrimTheDeadSetIsAskedFor() {
        fill("dead", 5);
        redis.call("ZADD", "retry", "1", "{\"jid\":\"a\"}");

        assertThat(run("retries", "bury", "a", "--dead-max", "5")).isEqualTo(Main.WRONG_USE);

        assertThat(err.toString()).contains("2 jobs will leave the full dead set");
        assertThat(number("ZCARD", "retry")).isEqualTo(1);
    }

    @Test
    void withoutAChoiceNothingIsTouched() {
        fill("dead", 1);

        assertThat(run("dead", "delete")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("--all").hasLineCount(1);
        assertThat(run("dead", "delete", "--all", "j0")).isEqualTo(Main.WRONG_USE);
        assertThat(run("dead", "--class", "Nobody", "delete", "--all")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("--class must come after delete").hasLineCount(1);
        assertThat(run("dead", "--redis", RIG.url(), "clear")).isEqualTo(Main.WRONG_USE);
        assertThat(number("ZCARD", "dead")).isEqualTo(1);

        assertThat(run("dead", "delete", "unknown")).isEqualTo(Main.FAILED);
        assertThat(out.toString()).isEqualTo("no job of dead was deleted\n");
        assertThat(run("dead", "delte", "j0")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("did you mean delete?");
        assertThat(run("dead", "delete", "j0")).isEqualTo(Main.DONE);
        assertThat(out.toString()).isEqualTo("1 job of dead was deleted\n");
    }

    @Test
    void scheduledJobsAreRescheduledAndRunNow() {
        fill("schedule", 2);

        assertThat(run("scheduled", "reschedule", "j0")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("--in or --at");
        assertThat(run("scheduled", "reschedule", "j0", "--at", "1999999999.5"))
                .isEqualTo(Main.DONE);
        assertThat(run("scheduled")).isEqualTo(Main.DONE);
        assertThat(out.toString().lines().skip(1).map(line -> line.split(" +", 4)[2]))
                .containsExactly("j1", "j0");
        assertThat(out.toString()).contains("2033-05-18T03:33:19Z  low    j0");

        assertThat(run("scheduled", "run", "--jid", "j1")).isEqualTo(Main.DONE);
        assertThat(out.toString()).isEqualTo("1 job of schedule was enqueued\n");
        assertThat(number("LLEN", "queue:low")).isEqualTo(1);
        assertThat(number("ZCARD", "schedule")).isEqualTo(1);
    }

    @Test
    void queuesAreListedLookedIntoAndEmptied() {
        push("low", 30);
        assertThat(run("queues", "pause", "low", "hihg")).isEqualTo(Main.DONE);
        assertThat(out.toString()).isEqualTo("low is paused\nhihg is paused\n");
        assertThat(err.toString()).isEqualTo("note: no queue hihg is known yet\n");
        assertThat(run("queues", "pause", "low")).isEqualTo(Main.DONE);
        assertThat(out.toString()).isEqualTo("low was already paused\n");

        assertThat(run("queues", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString())
                .isEqualTo(
                        """
                        {"name":"low","size":30,"in_flight":0,"latency":0.000,"paused":true,"served":false}
                        """);
        assertThat(run("queues", "jobs", "low", "--limit", "2")).isEqualTo(Main.DONE);
        assertThat(out.toString().lines().skip(1))
                .containsExactly("-         j0   A      [0]", "-         j1   A      [1]");

        assertThat(run("queues", "delete", "low", "j7", "j8")).isEqualTo(Main.DONE);
        assertThat(out.toString()).isEqualTo("2 jobs of queue low were deleted\n");
        assertThat(run("queues", "delete", "low", "--class", "A")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("28 jobs of queue low");
        assertThat(run("queues", "clear", "low")).isEqualTo(Main.WRONG_USE);
        assertThat(run("queues", "clear", "low", "--yes")).isEqualTo(Main.DONE);
        assertThat(out.toString()).isEqualTo("28 jobs of queue low were deleted\n");
        assertThat(run("queues", "unpause", "low")).isEqualTo(Main.DONE);
        assertThat(out.toString()).isEqualTo("low is served again\n");
    }

    @Test
    void queuesThatArePausedOrThatNobodyServesAreMarked() {
        push("good", 1);
        push("lost", 2);
        push("slow", 3);
        redis.call("SADD", "paused", "slow");
        redis.call("SADD", "processes", "web-1:1:a", "gone:2:b");
        redis.call("HSET", "web-1:1:a", "busy", "0", "info", "{\"queues\":[\"good\",\"slow\"]}");

        assertThat(run("stats")).isEqualTo(Main.DONE);
        assertThat(out.toString().lines().skip(3).limit(4))
                .containsExactly(
                        "queue  waiting  in flight  latency       state",
                        "good         1          0    0.0 s",
                        "lost         2          0    0.0 s  not served",
                        "slow         3          0    0.0 s      paused");
        assertThat(run("stats", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString())
                .contains("{\"name\":\"lost\",\"size\":2,", ",\"paused\":false,\"served\":false}")
                .contains(",\"paused\":true,\"served\":true}");
        assertThat(run("queues")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("latency       state", "  not served\n", "  paused\n");
    }

    @Test
    void aQueueThatIsNotThereCannotBeCleared() {
        push("low", 1);

        assertThat(run("queues", "clear", "lo", "--yes")).isEqualTo(Main.FAILED);
        assertThat(err).hasToString("mawashi: there is no queue lo: did you mean low?\n");
        assertThat(out.toString()).isEmpty();
        assertThat(run("queues", "clear", "low")).isEqualTo(Main.DONE);
        assertThat(run("queues", "clear", "low")).isEqualTo(Main.FAILED);
        assertThat(err).hasToString("mawashi: there is no queue low (mawashi queues lists them)\n");
    }

    @Test
    void anErrorOfManyLinesIsReadableInOne() {
        redis.call(
                "ZADD",
                "dead",
                "1",
                "{\"class\":\"A\",\"jid\":\"j\",\"args\":[],\"error_class\":\"NameError\","
                        + "\"error_message\":\"Boom\\n\\n  find(name)\\r\\n\\t ^^^^\"}");

        assertThat(run("dead")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("NameError: Boom find(name) ^^^^\n");
    }

    @Test
    void aKeyOfAWrongTypeIsOneClearLine() {
        redis.call("MSET", "retry", "x", "queue:bad", "x");
        push("good", 1);
        redis.call("SADD", "queues", "bad");

        assertThat(run("retries")).isEqualTo(Main.FAILED);
        assertThat(err.toString())
                .startsWith("mawashi: the key retry is no sorted set")
                .hasLineCount(1);
        assertThat(run("retries", "clear", "--yes")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).hasLineCount(1);
        assertThat(run("queues", "jobs", "bad")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("the key queue:bad is no list").hasLineCount(1);
        assertThat(run("queues")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("good", "bad");
        assertThat(err.toString()).contains("the key queue:bad is no list").hasLineCount(1);
    }

    @Test
    void whereThereIsNothingItIsSaidAndIsNoFailure() {
        for (String command :
                List.of("queues", "retries", "scheduled", "dead", "processes", "busy")) {
            assertThat(run(command)).as(command).isEqualTo(Main.DONE);
            assertThat(out.toString()).as(command).isEmpty();
            assertThat(err.toString()).as(command).hasLineCount(1);
            assertThat(run(command, "--json")).as(command).isEqualTo(Main.DONE);
            assertThat(out.toString()).as(command).isEmpty();
        }
    }

    @Test
    void anUnreachableRedisIsOneLine() {
        int code = run("dead", "--redis", "redis://127.0.0.1:1/0");

        assertThat(code).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("cannot reach").hasLineCount(1);
        assertThat(run("dead", "--limit", "0")).isEqualTo(Main.WRONG_USE);
    }
}
