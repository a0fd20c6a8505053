package dev.mawashi.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.SetEditing;
import dev.mawashi.wire.JobSet;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SetOperatorIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final JobReader.Sink NOBODY = (_, _) -> 0;
    private static final Instant NOW = Instant.parse("2026-11-21T01:48:20.250Z");

    private final RedisConnection redis = SERVER.connect();
    private final JobReader reader = new JobReader(SERVER.connect());
    private final SetEditing editing = new SetEditing(SERVER.connect());
    private final RedisConnection noting = SERVER.connect();

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

    private static JobQuery jid(String jid) {
        return new JobQuery(Set.of(jid), "", "", "", "");
    }

    private SetOperator operator(JobSet set) {
        return new SetOperator(set, noting, InstantSource.fixed(NOW));
    }

    private Report apply(JobSet set, JobQuery query, Change change) {
        return operator(set).perform(change, query, Keeping.nothing(), Progress.UNHEARD);
    }

    private List<String> texts(String... command) {
        List<String> texts = new ArrayList<>();
        for (Object value : (List<?>) Objects.requireNonNull(redis.call(command))) {
            texts.add(text(value));
        }
        return texts;
    }

    private static String text(@Nullable Object reply) {
        return new String((byte[]) Objects.requireNonNull(reply), StandardCharsets.UTF_8);
    }

    @Test
    void aRetryTakesTheFailureBackAndKeepsEveryOtherByte() {
        redis.call(
                "ZADD",
                "retry",
                "1",
                "{\"x\": 1e2,\"queue\":\"low\",\"jid\":\"a\",\"retry_count\":3,"
                        + "\"created_at\":1.5,\"enqueued_at\":2.5}",
                "2",
                "{\"jid\":\"b\"}");

        assertThat(apply(JobSet.RETRY, jid("a"), Change.of(Act.RETRY)))
                .isEqualTo(new Report(1, 0, 0, 0));

        assertThat(texts("LRANGE", "queue:low", "0", "-1"))
                .containsExactly(
                        "{\"x\": 1e2,\"queue\":\"low\",\"jid\":\"a\",\"retry_count\":2,"
                                + "\"created_at\":1.5,\"enqueued_at\":1795225700.25}");
        assertThat(texts("SMEMBERS", "queues")).containsExactly("low");
        assertThat(texts("ZRANGE", "retry", "0", "-1")).containsExactly("{\"jid\":\"b\"}");
    }

    /// Otherwise the next claim would drop it, as it drops what nobody asked for.
    @Test
    void aJobThatIsRetriedGetsItsTimeAnew() {
        redis.call(
                "ZADD",
                "dead",
                "1",
                "{\"jid\":\"a\",\"queue\":\"q\",\"expires_in\":60,\"expiry\":7.5,\"created_at\":1.5}");

        assertThat(apply(JobSet.DEAD, jid("a"), Change.of(Act.RETRY)).touched()).isOne();

        assertThat(texts("LRANGE", "queue:q", "0", "-1"))
                .containsExactly(
                        "{\"jid\":\"a\",\"queue\":\"q\",\"expires_in\":60,\"expiry\":null,"
                                + "\"created_at\":1.5,\"enqueued_at\":1795225700.25}");
    }

    @Test
    void aScheduledJobRunsNowInTheStyleItWasMadeIn() {
        redis.call("ZADD", "schedule", "1", "{\"jid\":\"a\",\"created_at\":1795225600000}");

        assertThat(apply(JobSet.SCHEDULE, jid("a"), Change.of(Act.RUN)).touched()).isOne();

        assertThat(texts("LRANGE", "queue:default", "0", "-1"))
                .containsExactly(
                        "{\"jid\":\"a\",\"created_at\":1795225600000,\"queue\":\"default\","
                                + "\"enqueued_at\":1795225700250}");
    }

    @Test
    void aDeadJobWithoutACountIsRetriedToo() {
        redis.call("ZADD", "dead", "1", "{\"jid\":\"a\",\"queue\":\"q\"}");

        apply(JobSet.DEAD, jid("a"), Change.of(Act.RETRY));

        assertThat(texts("LRANGE", "queue:q", "0", "-1").getFirst()).doesNotContain("retry_count");
        assertThat(redis.call("ZCARD", "dead")).isEqualTo(0L);
    }

    @Test
    void whatIsNoJobStaysWhereItIsAndIsCounted() {
        redis.call("ZADD", "dead", "1", "no json", "2", "{\"queue\":\"q\"}");

        assertThat(apply(JobSet.DEAD, JobQuery.ALL, Change.of(Act.RETRY)))
                .isEqualTo(new Report(1, 0, 1, 0));

        assertThat(texts("ZRANGE", "dead", "0", "-1")).containsExactly("no json");
    }

    @Test
    void aJobThatComesBackMeanwhileIsNotRunAgain() {
        int jobs = 3_000;
        for (int i = 0; i < jobs; i++) {
            redis.call("ZADD", "retry", "" + i, "{\"jid\":\"" + i + "\",\"queue\":\"q\"}");
        }

        long[] seen = {0};
        Report report =
                operator(JobSet.RETRY)
                        .perform(
                                Change.of(Act.RETRY),
                                JobQuery.ALL,
                                Keeping.nothing(),
                                (sum, _) -> failAtOnce(sum.touched(), seen));

        assertThat(report).isEqualTo(new Report(jobs, 0, 0, 0));
        assertThat(redis.call("LLEN", "queue:q")).isEqualTo((long) jobs);
    }

    /// What has come to the queue since the last look is back in the retry set.
    private void failAtOnce(long enqueued, long[] seen) {
        String last = "" + (enqueued - seen[0] - 1);
        if (enqueued > seen[0]
                && redis.call("LRANGE", "queue:q", "0", last) instanceof List<?> jobs) {
            jobs.forEach(job -> redis.call("ZADD", "retry", "1", text(job) + " "));
        }
        seen[0] = enqueued;
    }

    @Test
    void reschedulingChangesTheScoreOnly() {
        redis.call("ZADD", "retry", "1", "{\"jid\":\"a\"}", "2", "{\"jid\":\"b\"}");

        assertThat(apply(JobSet.RETRY, jid("a"), Change.reschedule(NOW)).touched()).isOne();

        assertThat(texts("ZRANGE", "retry", "0", "-1", "WITHSCORES"))
                .containsExactly("{\"jid\":\"b\"}", "2", "{\"jid\":\"a\"}", "1795225700.25");
    }

    @Test
    void buryingTrimsTheDeadSetAndSaysSo() {
        redis.call("ZADD", "dead", "1", "too old");
        double now = Instant.now().getEpochSecond();
        redis.call("ZADD", "dead", "" + (now - 60), "old", "" + (now - 50), "newer");
        redis.call("ZADD", "schedule", "1", "{\"jid\":\"a\"}", "2", "newer");

        Report report =
                apply(
                        JobSet.SCHEDULE,
                        JobQuery.ALL,
                        Change.bury(new DeadLimits(4, Duration.ofDays(180))));

        assertThat(report).isEqualTo(new Report(2, 0, 0, 2));
        assertThat(texts("ZRANGE", "dead", "0", "-1"))
                .doesNotHaveDuplicates()
                .extracting(String::strip)
                .containsExactlyInAnyOrder("newer", "newer", "{\"jid\":\"a\"}");
        assertThat(redis.call("EXISTS", "schedule")).isEqualTo(0L);
    }

    @Test
    void deletingTakesWhatMatchesAndNothingElse() {
        for (int i = 0; i < 250; i++) {
            redis.call(
                    "ZADD", "dead", "" + i, "{\"jid\":\"" + i + "\",\"queue\":\"q" + i % 2 + "\"}");
        }
        JobQuery query = new JobQuery(Set.of(), "", "q1", "", "");

        assertThat(operator(JobSet.DEAD).count(query, NOBODY)).isEqualTo(125);
        assertThat(apply(JobSet.DEAD, query, Change.of(Act.DELETE)).touched()).isEqualTo(125);

        assertThat(texts("ZRANGE", "dead", "0", "-1"))
                .hasSize(125)
                .allMatch(entry -> entry.contains("q0"));
        assertThat(operator(JobSet.DEAD).count(query, NOBODY)).isZero();
    }

    @Test
    void clearingEmptiesASetAtOnce() {
        redis.call("ZADD", "dead", "1", "a", "2", "b");

        assertThat(editing.clear(JobSet.DEAD, Keeping.nothing())).isEqualTo(2);
        assertThat(editing.clear(JobSet.DEAD, Keeping.nothing())).isZero();
    }
}
