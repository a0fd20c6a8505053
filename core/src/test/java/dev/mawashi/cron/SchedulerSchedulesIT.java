package dev.mawashi.cron;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The schedules of sidekiq-scheduler as its versions 4 to 6 have written them (`redis_manager.rb`
/// in its sources), and what may stand there besides.
class SchedulerSchedulesIT {
    private final RedisServerForTests server = new RedisServerForTests();
    private final RedisConnection redis = server.connect();
    private final CronReader reader = new CronReader(server.connect());

    @BeforeEach
    void fill() {
        add("line", "{\"cron\":\"0 3 * * *\",\"class\":\"Report\",\"queue\":\"low\",\"args\":[7]}");
        next("line", "2026-11-29 03:00:00 +0100");
        add("zoned", "{\"cron\":\"0 9 * * mon America/New_York\",\"description\":\"figures\"}");
        next("zoned", "2026-11-30 14:00:00 +0000");
        add(
                "every",
                "{\"every\":[\"45m\",{\"first_in\":\"5m\"}],\"class\":\"A\",\"enabled\":false}");
        next("every", "2100-01-01 00:45:00 +0000");
        add("unloaded", "{\"cron\":\"0 3 * * *\",\"class\":\"A\"}");
        add("once", "{\"at\":\"2001/01/01\",\"class\":\"A\"}");
        next("once", "2001-01-01 00:00:00 +0000");
        redis.call("HSET", "mw:cron:scheduler", "schedules", "Europe/Berlin");
        redis.call("ZADD", pushed("line"), "1795845700", "1795845700", "1795845600", "1795845600");
    }

    @AfterEach
    void stop() {
        reader.close();
        redis.close();
        server.close();
    }

    private void add(String name, String entry) {
        redis.call("HSET", "schedules", name, entry);
    }

    private void next(String name, String time) {
        redis.call("HSET", "sidekiq-scheduler:next_times", name, time);
    }

    private static String pushed(String name) {
        return "sidekiq-scheduler:pushed:" + name;
    }

    private CronReader.View one(String name) {
        return reader.one(name).orElseThrow();
    }

    @Test
    void allFormsAreListedWithTheirNextTimes() {
        assertThat(reader.all())
                .extracting(view ->
                        view.schedule().name()
                                + " "
                                + view.schedule().shownLine()
                                + " "
                                + view.next().size())
                .containsExactly(
                        "sidekiq-scheduler:every every 45m 1",
                        "sidekiq-scheduler:line 0 3 * * * Europe/Berlin 1",
                        "sidekiq-scheduler:once at 2001/01/01 0",
                        "sidekiq-scheduler:unloaded 0 3 * * * Europe/Berlin 0",
                        "sidekiq-scheduler:zoned 0 9 * * mon America/New_York 1");

        CronReader.View line = one("line");
        assertThat(line.next()).hasSize(CronReader.NEXT_MAX);
        assertThat(line.schedule().usedZone()).isEqualTo("Europe/Berlin");
        assertThat(line.json().toString())
                .contains("\"class\":\"Report\"", "\"queue\":\"low\"", "\"missed\":\"skip\"")
                .contains("\"gem\":\"sidekiq-scheduler\"", "\"paused\":false")
                .contains("\"tick\":\"2026-11-28T06:01:40Z\"", "\"tick\":\"2026-11-28T06:00:00Z\"")
                .doesNotContain("7]");
        assertThat(line.last()).contains(Instant.ofEpochSecond(1_795_845_700));
        assertThat(one("zoned").schedule().jobClass()).isEqualTo("zoned");
        assertThat(one("sidekiq-scheduler:zoned").schedule().description()).isEqualTo("figures");
        assertThat(one("zoned").schedule().queue()).isEmpty();
        next("zoned", "2026-11-30 14:00:00 Z");
        assertThat(one("zoned").next()).hasSize(CronReader.NEXT_MAX);
        assertThat(one("every").isPaused()).isTrue();
        assertThat(one("every").next()).containsExactly(Instant.parse("2100-01-01T00:45:00Z"));
    }

    /// As in a file with `enabled:` and nothing behind it: the gem takes it for no.
    @Test
    void oneThatIsNeitherOnNorOffIsPaused() {
        redis.call("HSET", "schedules", "blank", "{\"every\":\"1h\",\"enabled\":null}");
        assertThat(one("blank").isPaused()).isTrue();
        redis.call("HSET", "sidekiq-scheduler:states", "blank", "{\"enabled\":true}");
        assertThat(one("blank").isPaused()).isFalse();
    }

    @Test
    void thoseUnderAnAppsPrefixAreFound() {
        redis.call("HSET", "app:schedules", "line", "{\"every\":\"1h\",\"class\":\"B\"}");
        redis.call("HSET", "app:sidekiq-scheduler:states", "line", "{\"enabled\":false}");
        redis.call("HSET", "mw:cron:scheduler", "app:schedules", "", "odd", "x");

        assertThat(one("app:sidekiq-scheduler:line").isPaused()).isTrue();
        assertThat(one("app:sidekiq-scheduler:line").schedule().jobClass()).isEqualTo("B");
        assertThat(reader.all()).hasSize(6);
    }

    @Test
    void whatCannotBeReadHidesNoOther() {
        add("text", "text");
        add("list", "[]");
        add("bare", "{}");
        next("every", "soon");
        redis.call("SET", pushed("every"), "x");
        redis.call("ZADD", pushed("zoned"), "1", "x");
        redis.call("SET", "sidekiq-scheduler:states", "x");

        assertThat(reader.all()).hasSize(5);
        assertThat(one("every").runs()).isEmpty();
        assertThat(one("every").next()).isEmpty();
        assertThat(one("zoned").last()).isEmpty();
        redis.call("DEL", "schedules");
        redis.call("SET", "schedules", "x");
        assertThat(reader.all()).isEmpty();
    }

    @Test
    void oneIsPausedAndResumedAsByTheGemsTab() {
        ShownSchedule line = one("line").schedule();
        assertThat(reader.pause(line, false)).isFalse();
        assertThat(reader.pause(line, true)).isTrue();
        assertThat(redis.call("HGET", "sidekiq-scheduler:states", "line"))
                .isEqualTo("{\"enabled\":false}".getBytes(UTF_8));
        assertThat(one("line").isPaused()).isTrue();
        assertThat(reader.pause(one("line").schedule(), true)).isFalse();
        assertThat(reader.pause(one("every").schedule(), false)).isTrue();
        assertThat(one("every").isPaused()).isFalse();
    }

    @Test
    void aRunGoesToAServerWithTheGem() {
        ShownSchedule line = one("line").schedule();
        String id = HexFormat.of().toHexDigits(new Random(1).nextLong());
        redis.call("RPUSH", "mw:cron:answer:" + id, "+jid");

        assertThat(reader.run(line, "me", new Random(1))).isEqualTo("jid");
        assertThat(redis.call("RPOP", "mw:cron:asked:scheduler"))
                .isEqualTo((id + " line").getBytes(UTF_8));
        assertThatThrownBy(() -> reader.run(line, "me", new Random(2)))
                .isInstanceOf(CronRefusal.class)
                .hasMessage("no server runs that has sidekiq-scheduler loaded");
        assertThat(redis.call("EXISTS", "mw:cron:asked:scheduler")).isEqualTo(0L);
    }
}
