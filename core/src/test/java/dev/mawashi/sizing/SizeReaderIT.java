package dev.mawashi.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.figures.Inspector;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.MetricsShape;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SizeReaderIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:30Z");
    private static final InstantSource CLOCK = InstantSource.fixed(NOW);

    private final RedisConnection redis = SERVER.connect();

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
        redis.close();
    }

    private List<ServingPool> pools() {
        return new SizeReader(redis, CLOCK).pools(new Inspector(redis, CLOCK).stats().queues());
    }

    private ServingPool pool(String... patterns) {
        return new SizeReader(redis, CLOCK)
                .pool(List.of(patterns), new Inspector(redis, CLOCK).stats().queues());
    }

    private void process(String name, String queues, int slots, int busy, String... more) {
        redis.call("SADD", "processes", name);
        redis.call(
                "HSET",
                name,
                "info",
                "{\"queues\":[" + queues + "],\"concurrency\":" + slots + "}",
                "busy",
                "" + busy,
                "beat",
                "" + NOW.getEpochSecond());
        for (int i = 0; i < more.length; i += 2) {
            redis.call("HSET", name, more[i], more[i + 1]);
        }
    }

    private void push(String queue, String jobClass, int jobs, double age) {
        redis.call("SADD", "queues", queue);
        for (int i = 0; i < jobs; i++) {
            redis.call(
                    "LPUSH",
                    "queue:" + queue,
                    String.format(
                            Locale.ROOT,
                            "{\"class\":%s,\"args\":[],\"jid\":\"j%d\",\"enqueued_at\":%.1f}",
                            jobClass,
                            i,
                            NOW.getEpochSecond() - age));
        }
    }

    private void ran(String jobClass, int runs, int failed, int millis) {
        String key = MetricsShape.EIGHT.rollups(NOW).getLast().key();
        redis.call("HSET", key, jobClass + "|p", "" + runs, jobClass + "|f", "" + failed);
        redis.call("HSET", key, jobClass + "|ms", "" + millis);
    }

    @Test
    void processesThatServeTheSameQueuesAreOnePool() {
        process("a", "\"q\",\"low\"", 10, 4);
        process("b", "\"low\",\"q\"", 5, 5);
        process("c", "\"slow\"", 2, 1);
        process("quiet", "\"q\",\"low\"", 10, 9, "quiet", "true");
        process("alone", "", 1, 1);
        push("q", "\"Fast\"", 30, 3.5);
        push("low", "\"Slow\"", 10, 12);
        push("slow", "\"Odd\"", 1, 1);
        push("nobodys", "\"Fast\"", 99, 99);
        ran("Fast", 11, 1, 1_000);
        ran("Slow", 2, 0, 10_000);

        // 30 jobs of 0.1 s and 10 of 5 s.
        assertThat(pools())
                .containsExactly(
                        new ServingPool(
                                List.of("low", "q"), 2, 15, 9, 40, 12, OptionalDouble.of(1.325)),
                        new ServingPool(List.of("slow"), 1, 2, 1, 1, 1, OptionalDouble.empty()));
    }

    @Test
    void namedQueuesAreOnePoolOfAllThatServeThem() {
        process("a", "\"mail\"", 10, 1);
        process("b", "\"mailing\",\"q\"", 10, 2);
        process("c", "\"q\"", 10, 3);
        push("q", "\"A\"", 5, 1);
        push("mail", "\"A\"", 2, 8);
        push("mailing", "\"A\"", 3, 1);

        ServingPool mails = pool("mail*");
        assertThat(mails.queues()).containsExactly("mail", "mailing");
        assertThat(mails.processes()).isEqualTo(2);
        assertThat(mails.busy()).isEqualTo(3);
        assertThat(mails.waiting()).isEqualTo(5);
        assertThat(pool("mail").processes()).isEqualTo(1);
        assertThat(pool("mail", "q").processes()).isEqualTo(3);
        assertThatThrownBy(() -> pool("mail", "mali"))
                .isInstanceOf(NoQueue.class)
                .hasMessage("there is no queue mali: see mawashi queues for their names");
        assertThatThrownBy(() -> pool("Mail")).isInstanceOf(NoQueue.class);
        assertThatThrownBy(() -> pool("")).isInstanceOf(NoQueue.class);
    }

    @Test
    void pausedQueuesWaitForNobody() {
        process("a", "\"q\",\"low\"", 10, 0);
        push("q", "\"A\"", 5, 500);
        push("low", "\"A\"", 2, 1);
        redis.call("SADD", "paused", "q");

        assertThat(pool("q", "low").waiting()).isEqualTo(2);
        assertThat(pool("q", "low").latencySeconds()).isEqualTo(1);
    }

    @Test
    void classesOfActiveJobAndMailsCountAsTheirRunsDo() {
        process("a", "\"q\"", 10, 0);
        push("q", "\"Sidekiq::ActiveJob::Wrapper\",\"wrapped\":\"Report\"", 3, 1);
        ran("Report", 4, 0, 2_000);

        assertThat(pool("q").runSeconds()).hasValue(0.5);
    }

    /// Neither a record of another form nor a key of a wrong type is an error.
    @Test
    void whatOthersWroteWronglyCountsForNothing() {
        process("a", "\"q\"", 10, 0);
        redis.call("SADD", "processes", "gone", "odd");
        redis.call("SET", "odd", "x");
        redis.call("SADD", "queues", "q", "none");
        redis.call("SET", "queue:q", "no list");
        redis.call("LPUSH", "queue:none", "no job");

        assertThat(pools()).hasSize(1);
        assertThat(pools().getFirst().waiting()).isZero();
        assertThat(Sizing.of(pool("none"), SizeBounds.DEFAULT).wanted())
                .isEqualTo(OptionalLong.empty());
    }
}
