package dev.mawashi.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Event;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A job that arrives and that Redis refuses to put in flight.
class RefusedArrivalIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private final GatedRunner runner = new GatedRunner();
    private final RedisConnection redis = SERVER.connect();
    private final CapsuleRig rig =
            new CapsuleRig(
                    new RedisBroker(SERVER.address(), DeadLimits.DEFAULT),
                    runner,
                    new CapsuleSettings("test", 5, QueueOrder.strict(List.of("bad", "good"))));

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @AfterEach
    void stop() {
        rig.close();
        redis.close();
    }

    @Test
    void itRunsOnceAndIsSettledWhenItsKeyIsMendedAndOtherQueuesGoOn() {
        String inFlight = "mw:{queue:bad}:inflight:" + rig.epoch().owner();
        runner.open();
        rig.start();
        Eventually.until(
                "it is parked",
                () ->
                        redis.call("INFO", "clients") instanceof byte[] info
                                && new String(info, StandardCharsets.UTF_8)
                                        .contains("blocked_clients:2"));
        redis.call("SET", inFlight, "no hash");
        rig.push("bad", "1");
        Eventually.until(
                "it is told", () -> rig.events().of(Event.SettlementRefused.class).size() >= 2);
        rig.push("bad", "2");
        rig.push("good", "3");
        rig.awaitEnded(2);
        assertThat(runner.started()).containsExactly("1", "3");

        redis.call("DEL", inFlight);

        rig.awaitEnded(3);
        Eventually.until(
                "all are settled",
                () -> Objects.equals(redis.call("EXISTS", inFlight, "queue:bad"), 0L));
        assertThat(runner.started()).containsExactly("1", "3", "2");
        assertThat(rig.events().of(Event.SettledLate.class)).isEmpty();
    }
}
