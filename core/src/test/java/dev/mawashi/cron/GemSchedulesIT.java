package dev.mawashi.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The schedules of sidekiq-cron as its versions have written them, and what may stand there
/// besides.
class GemSchedulesIT {
    private final RedisServerForTests server = new RedisServerForTests();
    private final RedisConnection redis = server.connect();
    private final CronReader reader = new CronReader(server.connect());

    @AfterEach
    void stop() {
        reader.close();
        redis.close();
        server.close();
    }

    private void add(String set, String key, String... fields) {
        redis.call("SADD", set, key);
        for (int i = 0; i < fields.length; i += 2) {
            redis.call("HSET", key, fields[i], fields[i + 1]);
        }
    }

    private CronReader.View one(String name) {
        return reader.one(name).orElseThrow();
    }

    private void addThoseOfAllVersions() {
        String message = "{\"retry\":true,\"queue\":\"low\",\"class\":\"Report\",\"args\":[7]}";
        add(
                "cron_jobs",
                "cron_job:old",
                "cron",
                "0 3 * * * Europe/Berlin",
                "klass",
                "Report",
                "message",
                message,
                "active_job",
                "true",
                "status",
                "disabled",
                "description",
                "figures");
        add("cron_jobs:default", "cron_job:default:words", "cron", "every hour", "klass", "A");
        add("cron_jobs:tenant", "cron_job:tenant:x", "cron", "* * * * *", "klass", "B");
        redis.call("SADD", "mw:cron:gem", "cron_jobs:tenant");
        redis.call(
                "RPUSH",
                "cron_job:old:jid_history",
                "{\"jid\":\"b\",\"enqueued\":\"2026-11-26 03:00:01 +0100\"}",
                "{\"jid\":\"a\",\"enqueued\":\"2026-11-25 02:00:01 UTC\"}",
                "{",
                "{\"jid\":\"c\",\"enqueued\":\"yesterday\"}");
        redis.call("ZADD", "mw:cron:files", "1", "own");
        redis.call(
                "SET",
                "mw:cron:file:own",
                "[{\"name\":\"zzz\",\"cron\":\"@daily\",\"zone\":\"UTC\",\"class\":\"A\",\"queue\":\"q\","
                        + "\"args\":[],\"missed\":\"one\"}]");
    }

    @Test
    void thoseOfAllVersionsAndNamespacesAreListedAfterTheServersOwn() {
        addThoseOfAllVersions();

        assertThat(reader.all())
                .extracting(view -> view.schedule().name())
                .containsExactly(
                        "zzz", "cron_job:default:words", "cron_job:old", "cron_job:tenant:x");

        CronReader.View old = one("old");
        assertThat(old.isPaused()).isTrue();
        assertThat(old.next()).hasSize(CronReader.NEXT_MAX);
        assertThat(old.json().toString())
                .contains("\"queue\":\"low\"", "\"active_job\":true", "\"missed\":\"skip\"")
                .contains("\"gem\":\"sidekiq-cron\"", "\"description\":\"figures\"")
                .contains("\"at\":\"2026-11-26T02:00:01Z\",\"jid\":\"b\"")
                .contains("\"at\":\"2026-11-25T02:00:01Z\",\"jid\":\"a\"")
                .doesNotContain("7]");
        assertThat(old.schedule().usedZone()).isEqualTo("Europe/Berlin");
        assertThat(old.schedule().shownLine()).isEqualTo("0 3 * * * Europe/Berlin");
        assertThat(one("words").next()).isEmpty();
        assertThat(one("words").schedule().queue()).isEqualTo("default");
        assertThat(one("cron_job:tenant:x").schedule().shownLine()).isEqualTo("* * * * * UTC");
        assertThat(one("zzz").json().toString()).contains("\"gem\":null");
    }

    @Test
    void aTimeThatEnqueuedNothingSaysWhy() {
        add("cron_jobs", "cron_job:a", "cron", "* * * * *", "klass", "A");
        redis.call(
                "RPUSH",
                "cron_job:a:jid_history",
                "{\"jid\":null,\"enqueued\":\"2026-11-26 02:00:01 UTC\",\"outcome\":\"locked\"}",
                "{\"jid\":null,\"enqueued\":\"2026-11-25 02:00:01 UTC\",\"outcome\":\"other\"}",
                "{\"jid\":null,\"enqueued\":\"2026-11-24 02:00:01 UTC\"}",
                "{\"jid\":\"a\",\"enqueued\":\"2026-11-23 02:00:01 UTC\"}");

        assertThat(one("a").runs())
                .extracting(run -> run.text("outcome") + " " + run.text("reason"))
                .containsExactly(
                        "locked an equal job holds its lock",
                        "stopped a lock, client middleware or a callback of the app kept it out",
                        "stopped a lock, client middleware or a callback of the app kept it out",
                        "enqueued ");
    }

    @Test
    void whatCannotBeReadHidesNoOther() {
        add("cron_jobs", "cron_job:good", "cron", "* * * * *");
        add("cron_jobs", "cron_job:gone");
        add("cron_jobs", "cron_job:text");
        redis.call("SET", "cron_job:text", "x");
        redis.call("SET", "cron_jobs:default", "x");
        redis.call("SET", "cron_job:good:jid_history", "x");

        assertThat(reader.all())
                .extracting(view -> view.schedule().name())
                .containsExactly("cron_job:good");
        assertThat(one("good").runs()).isEmpty();
    }

    @Test
    void oneIsPausedAndResumedByTheGemsOwnFieldUnlessItIsGone() {
        add("cron_jobs", "cron_job:a", "cron", "* * * * *", "klass", "A", "status", "enabled");
        ShownSchedule schedule = one("a").schedule();

        assertThat(reader.pause(schedule, true)).isTrue();
        assertThat(reader.pause(schedule, true)).isFalse();
        assertThat(one("a").isPaused()).isTrue();
        assertThat(reader.pause(schedule, false)).isTrue();
        assertThat(one("a").isPaused()).isFalse();

        redis.call("DEL", "cron_job:a");
        assertThat(reader.pause(schedule, true)).isFalse();
        assertThat(redis.call("EXISTS", "cron_job:a")).isEqualTo(0L);
    }

    @Test
    void aRunThatNoServerTakesIsTakenBack() {
        add("cron_jobs", "cron_job:a", "cron", "* * * * *", "klass", "A");
        ShownSchedule schedule = one("a").schedule();

        assertThatThrownBy(() -> reader.run(schedule, "me", new Random(1)))
                .isInstanceOf(CronRefusal.class)
                .hasMessage("no server runs that has sidekiq-cron loaded");
        assertThat(redis.call("EXISTS", "mw:cron:asked")).isEqualTo(0L);
    }

    @Test
    void aRunWhoseWaitBreaksIsTakenBack() throws InterruptedException {
        add("cron_jobs", "cron_job:a", "cron", "* * * * *", "klass", "A");
        ShownSchedule schedule = one("a").schedule();
        Thread kills =
                Thread.startVirtualThread(() -> {
                    Eventually.until("it waits", Duration.ofSeconds(10), this::waits);
                    redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
                });

        assertThatThrownBy(() -> reader.run(schedule, "me", new Random(1)))
                .isInstanceOf(RedisFailure.class);
        kills.join();
        assertThat(redis.call("EXISTS", "mw:cron:asked")).isEqualTo(0L);
    }

    private boolean waits() {
        byte[] clients = (byte[]) Objects.requireNonNull(redis.call("CLIENT", "LIST"));
        return new String(clients, StandardCharsets.UTF_8).contains("cmd=blpop");
    }

    @Test
    void theServersAnswerIsTheJidOrAReason() {
        add("cron_jobs", "cron_job:a", "cron", "* * * * *", "klass", "A");
        ShownSchedule schedule = one("a").schedule();
        List<String> ids = List.of(id(1), id(2));
        redis.call("RPUSH", "mw:cron:answer:" + ids.get(0), "+jid");
        redis.call("RPUSH", "mw:cron:answer:" + ids.get(1), "-NameError: no");

        assertThat(reader.run(schedule, "me", new Random(1))).isEqualTo("jid");
        assertThatThrownBy(() -> reader.run(schedule, "me", new Random(2)))
                .hasMessage("the server could not enqueue it: NameError: no");
    }

    private static String id(long seed) {
        return HexFormat.of().toHexDigits(new Random(seed).nextLong());
    }
}
