package dev.mawashi.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.TimeStyle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A schedule in which someone has made keys and entries by hand.
final class OddScheduleIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private final RedisConnection redis = SERVER.connect();
    private final RecordedEvents events = new RecordedEvents();
    private @Nullable Promoter promoter;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    @AfterEach
    void stop() {
        if (promoter != null) {
            promoter.stop(Duration.ofSeconds(20));
        }
        redis.close();
    }

    private void start() {
        promoter =
                new Promoter(
                        new RedisBroker(SERVER.address(), DeadLimits.DEFAULT).scheduling(),
                        TimeStyle.INTEGER_MILLIS,
                        InstantSource.system(),
                        events,
                        new Outage(events, System::nanoTime));
        promoter.start();
    }

    private String commandStats() {
        return new String((byte[]) redis.call("INFO", "commandstats"), UTF_8);
    }

    private long length(String list) {
        return redis.call("LLEN", list) instanceof Long length ? length : 0;
    }

    /// Nobody else would ever have the turn to look at the schedule.
    @ParameterizedTest
    @ValueSource(strings = {"SET", "LPUSH"})
    void aTurnWithoutAnEndComesToOne(String command) {
        redis.call(command, Keys.SCHEDULER, "1");
        redis.call("ZADD", "schedule", "1", "{\"queue\":\"low\"}");
        start();

        Eventually.until("the job moves", () -> length("queue:low") == 1);
    }

    /// A look is many commands, and the turn is renewed several times between two of them.
    @Test
    void whoHasTheTurnKeepsItWithoutLooking() {
        start();
        redis.call("ZADD", "schedule", "1", "{\"queue\":\"low\"}");
        Eventually.until("the job moves", () -> length("queue:low") == 1);
        redis.call("ZADD", "schedule", "99999999999", "{\"queue\":\"low\"}");
        for (int renewals = 0; renewals < 3; renewals++) {
            redis.call("SET", Keys.SCHEDULER, "theirs", "KEEPTTL");
            Eventually.until(
                    "it is renewed",
                    () ->
                            Arrays.equals(
                                    (byte[]) redis.call("GET", Keys.SCHEDULER),
                                    RedisConnection.ascii("1")));
            if (renewals == 0) {
                redis.call("CONFIG", "RESETSTAT");
            }
        }

        // Two scripts for a look, of which one may fall in between.
        assertThat(commandStats()).doesNotContainPattern("cmdstat_evalsha:calls=([3-9]|\\d\\d)");
    }

    /// Only the first two of them are due.
    @Test
    void scoresThatAreNoTimeHoldNothingUpAndKeepNobodyBusy() {
        List<String> scores = List.of("-inf", "-1e300", "9e15", "1e19", "1e300", "inf");
        for (String score : scores) {
            redis.call("ZADD", "retry", score, "{\"queue\":\"low\",\"x\":\"" + score + "\"}");
        }
        start();
        Eventually.until("two move", () -> length("queue:low") == 2);
        redis.call("CONFIG", "RESETSTAT");
        redis.callBlocking(
                Duration.ofSeconds(1),
                RedisConnection.ascii("BLPOP"),
                RedisConnection.ascii("nothing"),
                RedisConnection.ascii("0.5"));

        // A spinning promoter would look thousands of times.
        assertThat(commandStats()).doesNotContainPattern("cmdstat_evalsha:calls=\\d{3}");
        assertThat(redis.call("ZCARD", "retry")).isEqualTo(4L);
        redis.call("ZADD", "schedule", "1", "{\"queue\":\"low\"}");
        Eventually.until("others move as before", () -> length("queue:low") == 3);
        assertThat(events.all()).isEmpty();
    }
}
