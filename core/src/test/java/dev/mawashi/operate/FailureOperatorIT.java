package dev.mawashi.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.inspect.FailureReader;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.tables.FailureEditing;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.wire.ResqueKeys;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Resque's failures, some pages of them.
class FailureOperatorIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final JobQuery BAD = new JobQuery(Set.of(), "Bad", "", "", "");
    private static final String LIST = "resque:failed";

    private final RedisConnection redis = SERVER.connect();
    private final FailureReader reader = new FailureReader(SERVER.connect(), ResqueKeys.DEFAULT);
    private final FailureEditing editing = new FailureEditing(SERVER.connect(), ResqueKeys.DEFAULT);
    private final FailureOperator operator =
            new FailureOperator(
                    ResqueKeys.DEFAULT,
                    redis,
                    InstantSource.fixed(Instant.ofEpochSecond(1_795_225_700L)),
                    ZoneOffset.UTC);

    private Report perform(Act act, JobQuery query) {
        return operator.perform(Change.of(act), query, Keeping.nothing(), Progress.UNHEARD);
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void fill() {
        SERVER.flushAll();
        for (int i = 0; i < 330; i++) {
            redis.call("RPUSH", LIST, record(i));
        }
    }

    @AfterEach
    void close() {
        editing.close();
        reader.close();
        redis.close();
    }

    private static String record(int number) {
        String name = number % 3 == 0 ? "Bad" : "Good";
        return "{\"payload\":{\"class\":\"%s\",\"args\":[%s]},\"queue\":\"low\"}"
                .formatted(name, number);
    }

    private long size(String list) {
        return (Long) Objects.requireNonNull(redis.call("LLEN", list));
    }

    @Test
    void whatMatchesIsRemovedAndTheRestStaysInItsOrder() {
        assertThat(perform(Act.REMOVE, BAD)).isEqualTo(new Report(110, 0, 0, 0));

        assertThat(size(LIST)).isEqualTo(220);
        assertThat(reader.at("failed", 0).orElseThrow().args()).isEqualTo("[1]");
        assertThat(reader.at("failed", 219).orElseThrow().args()).isEqualTo("[329]");
        assertThat(reader.find(BAD, 10).total()).isZero();
    }

    /// Such as one that was cut by another tool.
    @Test
    void aRecordWhoseBytesAreBrokenStopsNoneBehindIt() {
        redis.call("LPUSH", LIST, "{\"payload\":{},\"payload_base64\":\"%%%\",\"queue\":\"low\"}");
        assertThat(perform(Act.REQUEUE, JobQuery.ALL)).isEqualTo(new Report(330, 0, 1, 0));
    }

    @Test
    void whatMatchesIsEnqueuedAnewAndNotedWhereItStands() {
        assertThat(perform(Act.REQUEUE, BAD)).isEqualTo(new Report(110, 0, 0, 0));
        assertThat(perform(Act.REQUEUE, BAD)).isEqualTo(Report.NOTHING);

        assertThat(size("resque:queue:low")).isEqualTo(110);
        assertThat(size(LIST)).isEqualTo(330);
        assertThat(reader.at("failed", 3).orElseThrow().isRetried()).isTrue();
        assertThat(reader.at("failed", 4).orElseThrow().isRetried()).isFalse();
    }

    @Test
    void recordsThatOthersRemovedSomeBeforeAreFoundAndThoseThatAreGoneAreNot() {
        redis.call("LPOP", LIST, "10");

        assertThat(editing.requeue("failed", List.of(requeue(4), requeue(20)))).isEqualTo(1);
        assertThat(reader.at("failed", 10).orElseThrow().text("changed")).isEqualTo("20");
        assertThat(editing.remove("failed", List.of(waiting(5), waiting(30), waiting(300))))
                .isEqualTo(2);
        assertThat(size(LIST)).isEqualTo(318);
    }

    private static FailureEditing.Requeue requeue(int number) {
        return new FailureEditing.Requeue(
                record(number).getBytes(UTF_8),
                number,
                ("{\"changed\":\"" + number + "\"}").getBytes(UTF_8),
                "low",
                "{}".getBytes(UTF_8));
    }

    private static QueueEditing.Waiting waiting(int number) {
        return new QueueEditing.Waiting(record(number).getBytes(UTF_8), number);
    }
}
