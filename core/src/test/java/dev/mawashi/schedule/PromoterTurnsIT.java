package dev.mawashi.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.Keys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Several processes have promoters, and one of them has the turn to look at the schedule.
class PromoterTurnsIT extends PromoterRig {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    PromoterTurnsIT() {
        super(SERVER);
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @Test
    void manyDueAtOneInstantMoveOnceWithSeveralPromoters() {
        List<String> zadd = new ArrayList<>(List.of("ZADD", "retry"));
        for (int i = 0; i < 1_000; i++) {
            zadd.addAll(List.of("5", "{\"queue\":\"low\",\"jid\":\"" + i + "\"}"));
        }
        redis.call(zadd.toArray(String[]::new));

        start(SERVER.address());
        start(SERVER.address());

        Eventually.until(
                "all moved", () -> redis.call("ZCARD", "retry") instanceof Long l && l == 0);
        assertThat(length("queue:low")).isEqualTo(1_000);
        assertThat(redis.call("SISMEMBER", "queues", "low")).isEqualTo(1L);
    }

    /// Each change would else be looked at as many times as there are processes.
    @Test
    void aChangeIsLookedAtByOneOfManyProcesses() {
        int processes = 8;
        for (int i = 0; i < processes; i++) {
            start(SERVER.address());
        }
        Eventually.until(
                "all wait",
                () -> clients().split("name=mawashi-follow", -1).length == processes + 1);
        promoteOne("first");
        idleMoment();
        redis.call("CONFIG", "RESETSTAT");

        int changes = 100;
        for (int i = 0; i < changes; i++) {
            redis.call("ZADD", "schedule", "99999999999", "{\"queue\":\"low\",\"n\":" + i + "}");
            pause("0.01");
        }

        // Two scripts for a look, and what little they look while nothing changes.
        assertThat(scriptCalls()).isLessThan(4L * changes);
    }

    @Test
    void whenTheOneThatLooksStopsAnotherGoesOnAtOnce() {
        startAndAwaitIdle();
        start(SERVER.address());
        promoteOne("second");
        promoters.removeFirst().stop(LONG);

        for (int i = 0; i < 20; i++) {
            promoteOne("j" + i);
        }
    }

    @Test
    void theTurnOfOneThatDiedIsTaken() {
        redis.call("SET", Keys.SCHEDULER, "1", "PX", "1000");
        start(SERVER.address());

        promoteOne("first");

        assertThat(redis.call("PTTL", Keys.SCHEDULER) instanceof Long ms && ms > 0).isTrue();
    }

    @Test
    void theTurnIsLeftBehindByNobody() {
        startAndAwaitIdle();

        promoters.removeFirst().stop(LONG);

        assertThat(redis.call("EXISTS", Keys.SCHEDULER)).isEqualTo(0L);
        Eventually.until(
                "nothing of ours is left",
                () -> redis.call("KEYS", "mw:*") instanceof List<?> keys && keys.isEmpty());
    }
}
