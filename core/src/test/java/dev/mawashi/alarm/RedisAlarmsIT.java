package dev.mawashi.alarm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Alarms of queues, sets and Redis itself, with a real Redis in which they are true.
class RedisAlarmsIT {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final RedisServerForTests server = new RedisServerForTests();
    private final RedisConnection redis = server.connect();
    private final AlarmRig rig = new AlarmRig();
    private final Outage outage = new Outage(rig.events, System::nanoTime);
    private RedisLook look = look(server.address());

    private RedisLook look(RedisAddress address) {
        look =
                new RedisLook(
                        new RedisConnection(address, "mawashi-alarms", LONG),
                        List.of("low", "high", "odd"),
                        9_999,
                        outage,
                        InstantSource.system());
        rig.redis = look::look;
        return look;
    }

    @AfterEach
    void close() {
        look.close();
        redis.close();
        server.close();
    }

    private void push(String queue, int jobs) {
        for (int i = 0; i < jobs; i++) {
            redis.queue(RedisConnection.ascii("LPUSH"), bytes("queue:" + queue), bytes("{}"));
        }
        redis.flush();
    }

    private static byte[] bytes(String text) {
        return RedisConnection.utf8(text);
    }

    /// Some come in at each look, for so many minutes.
    private void grow(String queue, int minutes) {
        for (int i = 0; i < 4 * minutes; i++) {
            push(queue, 20);
            rig.look();
        }
    }

    @Test
    void aQueueThatGrowsIsNamedUntilItDoesNot() {
        push("high", 5_000);
        rig.look();
        grow("low", 9);
        assertThat(rig.standing()).isEmpty();
        grow("low", 2);

        assertThat(rig.text(Alarm.QUEUE_GROWS))
                .matches("a queue grows: \\d+ jobs wait in low; see docs/guide/tuning.md.*");
        rig.pass(Duration.ofMinutes(13));
        assertThat(rig.standing()).isEmpty();
    }

    @Test
    void aBurstAPausedQueueAndAFewJobsAreNoGrowth() {
        redis.call("SADD", "paused", "low");
        for (int i = 0; i < 30; i++) {
            grow("low", 1);
            push("odd", 1);
            if (i == 7) {
                push("high", 3_000);
            }
            redis.call("LTRIM", "queue:high", "0", "" + (3_000 - 200 * i));
        }

        assertThat(rig.lines()).noneMatch(line -> line.contains(Alarm.QUEUE_GROWS.word()));
    }

    @Test
    void theDeadSetBeforeItDropsAJob() {
        for (int i = 0; i < 9_499; i++) {
            redis.queue(bytes("ZADD"), bytes("dead"), bytes("" + i), bytes("{\"jid\":" + i + "}"));
        }
        redis.flush();
        rig.look();
        assertThat(rig.standing()).isEmpty();
        redis.call("ZADD", "dead", "1", "{}");
        rig.look();

        assertThat(rig.text(Alarm.DEAD_SET_FULL)).contains("9500 jobs of at most 9999");
    }

    @Test
    void suspectsThatWait() {
        redis.call("RPUSH", "mw:{queue:high}:suspects", "{}", "{}");
        rig.look();

        assertThat(rig.text(Alarm.SUSPECTS)).contains("2 wait for that");
    }

    @Test
    void keysOfAWrongTypeAreNoFigures() {
        redis.call("SET", "dead", "x");
        redis.call("SET", "queue:odd", "x");
        rig.look();

        assertThat(rig.events.all()).isEmpty();
        assertThat(rig.watch.last().orElseThrow().redis().orElseThrow().queues())
                .contains(new RedisReading.Depth("odd", 0, false));
    }

    @Test
    void aSlowRedisIsNamedAfterAMinute() {
        try (FaultProxy proxy = new FaultProxy(server.address())) {
            look.close();
            look(proxy.address());
            proxy.delay(Duration.ofMillis(60));
            rig.pass(Duration.ofSeconds(45));
            assertThat(rig.standing()).isEmpty();
            rig.look();
            assertThat(rig.text(Alarm.REDIS_SLOW)).startsWith("Redis is slow: a round trip takes ");
        }
    }

    @Test
    void whileRedisIsAwayWhatStoodStands() {
        redis.call("RPUSH", "mw:{queue:high}:suspects", "{}");
        rig.look();
        server.kill();
        rig.pass(Duration.ofMinutes(5));

        assertThat(rig.standing()).containsExactly("suspects");
        assertThat(rig.events.of(Event.BrokerDown.class)).isNotEmpty();
        server.crashAndStart();
        rig.pass(Duration.ofMinutes(3));
        assertThat(rig.standing()).isEmpty();
    }
}
