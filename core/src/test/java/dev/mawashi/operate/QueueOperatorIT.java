package dev.mawashi.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.QueueEditing;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueueOperatorIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final JobReader.Sink NOBODY = (_, _) -> 0;

    private final RedisConnection redis = SERVER.connect();
    private final JobReader reader = new JobReader(SERVER.connect());
    private final QueueEditing editing = new QueueEditing(SERVER.connect());
    private final RedisConnection noting = SERVER.connect();
    private final QueueOperator operator = new QueueOperator("q", noting);

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    @AfterEach
    void close() {
        editing.close();
        noting.close();
        reader.close();
        redis.close();
    }

    @Test
    void onlyWhatMatchesIsDeletedThroughAllPages() {
        for (int i = 0; i < 2_400; i++) {
            String name = i % 3 == 0 ? "Bad" : "Good";
            redis.call("LPUSH", "queue:q", "{\"class\":\"" + name + "\",\"jid\":\"" + i + "\"}");
        }
        JobQuery bad = new JobQuery(Set.of(), "Bad", "", "", "");

        assertThat(operator.count(bad, NOBODY)).isEqualTo(800);
        assertThat(
                        operator.perform(
                                Change.of(Act.DELETE), bad, Keeping.nothing(), Progress.UNHEARD))
                .isEqualTo(new Report(800, 0, 0, 0));

        assertThat(redis.call("LLEN", "queue:q")).isEqualTo(1_600L);
        assertThat(operator.count(bad, NOBODY)).isZero();
    }

    /// As Resque's may be, which have no id.
    @Test
    void jobsOfTheSameBytesAreAllDeleted() {
        for (int i = 0; i < 2_400; i++) {
            redis.call("LPUSH", "queue:q", "{\"class\":\"Sweep\",\"args\":[]}");
        }
        JobQuery sweep = new JobQuery(Set.of(), "Sweep", "", "", "");

        assertThat(
                        operator.perform(
                                Change.of(Act.DELETE), sweep, Keeping.nothing(), Progress.UNHEARD))
                .isEqualTo(new Report(2_400, 0, 0, 0));
        assertThat(redis.call("LLEN", "queue:q")).isEqualTo(0L);
    }

    @Test
    void aJobThatStartedMeanwhileIsCountedAsGone() {
        redis.call("LPUSH", "queue:q", "{\"jid\":\"1\"}");
        redis.call("LPUSH", "queue:q", "{\"jid\":\"2\"}");
        List<JobEntry> shown = reader.first("q", 2);
        redis.call("RPOP", "queue:q");

        assertThat(operator.perform(Change.of(Act.DELETE), shown, Keeping.nothing()))
                .isEqualTo(new Report(1, 1, 0, 0));
        assertThat(redis.call("LLEN", "queue:q")).isEqualTo(0L);
    }

    /// As a server does that stops or recovers another.
    @Test
    void chosenJobsAreFoundHoweverManyCameBackToTheHead() {
        for (int i = 0; i < 2_000; i++) {
            redis.call("LPUSH", "queue:q", "{\"jid\":\"" + i + "\"}");
        }
        List<JobEntry> shown = reader.first("q", 3);
        for (int i = 0; i < 3_000; i++) {
            redis.call("RPUSH", "queue:q", "{\"jid\":\"back" + i + "\"}");
        }

        assertThat(operator.perform(Change.of(Act.DELETE), shown.subList(0, 2), Keeping.nothing()))
                .isEqualTo(new Report(2, 0, 0, 0));
        assertThat(
                        operator.perform(
                                Change.to(Act.MOVE, "other"),
                                shown.subList(2, 3),
                                Keeping.nothing()))
                .isEqualTo(new Report(1, 0, 0, 0));
        assertThat(redis.call("LLEN", "queue:q")).isEqualTo(4_997L);
        assertThat(redis.call("LLEN", "queue:other")).isEqualTo(1L);
    }

    /// Several steps, of which one ends early: its jobs are large.
    @Test
    void jobsMoveThroughAllPagesInTheirOrder() {
        List<String> rest = new ArrayList<>();
        List<String> moved = new ArrayList<>();
        for (int i = 0; i < 2_400; i++) {
            String name = i % 3 == 0 ? "Bad" : "Good";
            String text = i > 600 && i < 650 ? "x".repeat(100_000) : "";
            (i % 3 == 0 ? moved : rest).add("" + i);
            redis.call(
                    "LPUSH",
                    "queue:q",
                    "{\"class\":\""
                            + name
                            + "\",\"jid\":\""
                            + i
                            + "\",\"args\":[\""
                            + text
                            + "\"]}");
        }
        JobQuery bad = new JobQuery(Set.of(), "Bad", "", "", "");

        assertThat(
                        operator.perform(
                                Change.to(Act.MOVE, "other"),
                                bad,
                                Keeping.nothing(),
                                Progress.UNHEARD))
                .isEqualTo(new Report(800, 0, 0, 0));

        assertThat(jids("q")).isEqualTo(rest);
        assertThat(jids("other")).isEqualTo(moved);
    }

    /// The next to run first.
    private List<String> jids(String queue) {
        return reader.first(queue, 10_000).stream().map(entry -> entry.job().jid()).toList();
    }

    @Test
    void clearingTakesAllThatWaitsAndTheNameAndLeavesWhatIsInFlight() {
        redis.call("SADD", "queues", "q", "other");
        redis.call("LPUSH", "queue:q", "1", "2");
        redis.call("LPUSH", "mw:{queue:q}:arrivals", "3");
        redis.call("LPUSH", "mw:{queue:q}:suspects", "4");
        redis.call("HSET", "mw:{queue:q}:inflight:me", "1", "5");

        assertThat(editing.clear("q", Keeping.nothing())).hasValue(4);

        assertThat(redis.call("SISMEMBER", "queues", "q")).isEqualTo(0L);
        assertThat(redis.call("SISMEMBER", "queues", "other")).isEqualTo(1L);
        assertThat(redis.call("DBSIZE")).isEqualTo(2L);
    }

    @Test
    void aPauseIsBegunAndEndedOnce() {
        assertThat(editing.pause("q")).isTrue();
        assertThat(editing.pause("q")).isFalse();
        assertThat(redis.call("SISMEMBER", "paused", "q")).isEqualTo(1L);
        assertThat(editing.unpause("q")).isTrue();
        assertThat(editing.unpause("q")).isFalse();
    }
}
