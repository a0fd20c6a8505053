package dev.mawashi.cron;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The schedules of resque-scheduler as a server's Ruby lists them, and what may stand there
/// besides.
class ResqueSchedulesIT {
    private static final String LISTED =
            "[{\"name\":\"app:nightly\",\"cron\":\"0 3 * * *\",\"zone\":\"Europe/Berlin\","
                    + "\"class\":\"Report\",\"queue\":\"low\",\"description\":\"figures\"},"
                    + "{\"name\":\"app:often\",\"cron\":\"every 30m\",\"zone\":\"UTC\","
                    + "\"class\":\"Pulse\",\"queue\":\"\",\"description\":\"\",\"every\":1800000,"
                    + "\"next\":1700000000000},"
                    + "{\"name\":\"app:unknown\",\"cron\":\"every 1h\",\"zone\":\"UTC\","
                    + "\"class\":\"Pulse\",\"every\":3600000},"
                    + "{\"name\":\"app:words\",\"cron\":\"every day at noon\",\"zone\":\"UTC\","
                    + "\"class\":\"Pulse\"}]";

    private final RedisServerForTests server = new RedisServerForTests();
    private final RedisConnection redis = server.connect();
    private final CronReader reader = new CronReader(server.connect());

    @AfterEach
    void stop() {
        reader.close();
        redis.close();
        server.close();
    }

    private void list() {
        redis.call("SADD", "mw:cron:resque", "app", "gone", "odd");
        redis.call("SET", "mw:cron:resque:app", LISTED);
        redis.call("SADD", "mw:cron:resque:odd", "no text");
    }

    private CronReader.View one(String name) {
        return reader.one(name).orElseThrow();
    }

    @Test
    void eachIsListedWithItsTimesAndRunsByEitherName() {
        list();
        redis.call(
                "RPUSH",
                "mw:cron:runs:app:nightly",
                "{\"outcome\":\"enqueued\",\"tick\":\"2026-11-26T02:00:00Z\",\"at\":\"2026-11-26T02:00:01Z\"}",
                "{\"outcome\":\"missed\",\"at\":\"2026-11-25T02:00:01Z\"}");

        assertThat(reader.all())
                .extracting(view -> view.schedule().name())
                .containsExactly("app:nightly", "app:often", "app:unknown", "app:words");
        assertThat(one("nightly").runs()).hasSize(2);
        assertThat(one("nightly").next()).hasSize(CronReader.NEXT_MAX);
        assertThat(one("nightly").schedule().shownLine()).isEqualTo("0 3 * * * Europe/Berlin");
        assertThat(one("app:nightly").json().toString())
                .contains("\"gem\":\"resque-scheduler\"", "\"queue\":\"low\"")
                .contains("\"description\":\"figures\"", "\"missed\":\"skip\"");
        assertThat(reader.all().getFirst().last()).contains(Instant.parse("2026-11-26T02:00:01Z"));
        assertThat(one("words").next()).isEmpty();
        assertThat(one("unknown").next()).isEmpty();
        assertThat(reader.one("app:none")).isEmpty();
    }

    @Test
    void anIntervalGoesOnFromTheTimeThatTheServerKnows() {
        list();

        List<Instant> times =
                one("often").schedule().next(Instant.parse("2026-11-28T00:00:00Z"), 2);

        Instant known = Instant.ofEpochMilli(1_700_000_000_000L);
        assertThat(times)
                .containsExactly(
                        Instant.parse("2026-11-28T00:13:20Z"),
                        Instant.parse("2026-11-28T00:43:20Z"));
        assertThat(one("often").schedule().next(known.minusSeconds(1), 1)).containsExactly(known);
        assertThat(one("often").schedule().shownLine()).isEqualTo("every 30m");
    }

    @Test
    void aPauseIsNotedAndARunIsAskedOfAServerOfTheNamespace() throws Exception {
        list();
        ShownSchedule schedule = one("often").schedule();
        assertThat(reader.pause(schedule, true)).isTrue();
        assertThat(one("often").isPaused()).isTrue();
        assertThat(reader.pause(schedule, false)).isTrue();

        Thread asker = Thread.ofVirtual().start(() -> reader.run(schedule, "me", new Random(1)));
        Eventually.until("asked", () -> length("mw:{app}:cron:asked") == 1);
        byte[] taken = (byte[]) Objects.requireNonNull(redis.call("RPOP", "mw:{app}:cron:asked"));
        String request = new String(taken, UTF_8);
        assertThat(request).endsWith(" app:often");
        redis.call("RPUSH", "mw:cron:answer:" + request.substring(0, request.indexOf(' ')), "+");
        asker.join();

        assertThatThrownBy(() -> reader.run(schedule, "me", new Random(1)))
                .hasMessage("no server runs that has resque-scheduler loaded");
        assertThat(length("mw:{app}:cron:asked")).isZero();
    }

    private long length(String list) {
        return (Long) Objects.requireNonNull(redis.call("LLEN", list));
    }
}
