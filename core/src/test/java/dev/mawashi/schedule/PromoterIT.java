package dev.mawashi.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A job is in its queue when its time has come, by Redis's clock, and nothing is polled for that.
class PromoterIT extends PromoterRig {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    PromoterIT() {
        super(SERVER);
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @Test
    void anIdlePromoterSendsNothing() {
        redis.call("ZADD", "retry", "99999999999", "{\"queue\":\"low\"}");
        startAndAwaitIdle();
        long before = scriptCalls();

        idleMoment();

        // One look at both sets is what may fall into the moment.
        assertThat(scriptCalls() - before).isLessThanOrEqualTo(2);
    }

    /// Each of them would take seconds if it were found by polling.
    @Test
    void anEntryWithAnEarlierDueTimeIsNoticedAtOnce() {
        redis.call("ZADD", "schedule", "99999999999", "{\"queue\":\"low\"}");
        startAndAwaitIdle();

        for (int i = 0; i < 20; i++) {
            promoteOne("j" + i);
        }
        assertThat(redis.call("ZCARD", "schedule")).isEqualTo(1L);
        assertThat(events.all()).isEmpty();
    }

    @Test
    void anEntryIsPromotedWhenItsTimeComes() {
        startAndAwaitIdle();
        long seconds = serverSeconds() + 1;

        redis.call("ZADD", "schedule", "" + seconds, "{\"queue\":\"soon\"}");

        Eventually.until("it moves", () -> length("queue:soon") == 1);
        assertThat(serverSeconds()).isGreaterThanOrEqualTo(seconds);
    }

    /// @param hours by which this machine's clock is wrong
    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void redisClockDecidesHoweverWrongThisMachinesIs(int hours) {
        start(SERVER.address(), Clock.offset(Clock.systemUTC(), Duration.ofHours(hours)));
        promoteOne("due");
        long seconds = serverSeconds() + 1;

        redis.call("ZADD", "schedule", "" + seconds, "{\"queue\":\"soon\"}");

        Eventually.until("it moves", () -> length("queue:soon") == 1);
        assertThat(serverSeconds()).isGreaterThanOrEqualTo(seconds);
    }

    /// 400 jobs of 50 kB each: 100 of them would be 5 MB in one script.
    @Test
    void fewerLargeJobsAreMovedTogether() {
        String padding = "x".repeat(50_000);
        for (int i = 0; i < 400; i++) {
            String job = "{\"queue\":\"low\",\"jid\":\"%d\",\"x\":\"%s\"}".formatted(i, padding);
            redis.call("ZADD", "schedule", "5", job);
        }
        redis.call("CONFIG", "RESETSTAT");
        start(SERVER.address());

        Eventually.until("all moved", () -> length("queue:low") == 400);
        // A hundred, and then ever fewer until five are left; in hundreds it would be ten calls.
        assertThat(scriptCalls()).isGreaterThan(50);
    }

    @Test
    void whatIsNoJobIsBuriedAsItsRawBytes() {
        redis.call("ZADD", "schedule", "5", "no job");
        start(SERVER.address());

        Eventually.until("it is buried", () -> redis.call("ZSCORE", "dead", "no job") != null);
        assertThat(redis.call("ZCARD", "schedule")).isEqualTo(0L);
    }

    @Test
    void itWorksForAUserThatMayNotTrackKeys() {
        redis.call("ACL", "SETUSER", "poll", "on", ">pw", "~*", "&*", "+@all", "-client|tracking");
        String port = Integer.toString(SERVER.address().port());
        start(RedisAddress.parse("redis://poll:pw@127.0.0.1:" + port));

        for (int i = 0; i < 5; i++) {
            promoteOne("j" + i);
        }
        assertThat(events.all()).isEmpty();
    }

    @Test
    void itWorksForAUserThatMayNotSubscribe() {
        redis.call("ACL", "SETUSER", "deaf", "on", ">pw", "~*", "resetchannels", "+@all");
        String port = Integer.toString(SERVER.address().port());
        start(RedisAddress.parse("redis://deaf:pw@127.0.0.1:" + port));

        for (int i = 0; i < 5; i++) {
            promoteOne("j" + i);
        }
        assertThat(events.all()).isEmpty();
    }

    @Test
    void aKilledWatchIsReplaced() {
        startAndAwaitIdle();

        for (int i = 0; i < 5; i++) {
            redis.call("CLIENT", "KILL", "TYPE", "pubsub");
            promoteOne("j" + i);
        }
    }

    @Test
    void aKilledReaderNoticesWithinSecondsAndIsWatchedAgain() {
        startAndAwaitIdle();

        redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");

        for (int i = 0; i < 10; i++) {
            promoteOne("j" + i);
        }
    }
}
