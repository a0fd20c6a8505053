package dev.mawashi.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Enqueuing;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.settle.Settler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReturnsIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aSettlementThatRedisRefusesHoldsUpNoJobThatGoesBack() {
        RecordedEvents events = new RecordedEvents();
        try (RedisServerForTests server = new RedisServerForTests();
                RedisConnection redis = server.connect()) {
            RedisBroker broker = new RedisBroker(server.address(), DeadLimits.DEFAULT);
            Settler settler =
                    new Settler(broker.settling(), events, new Outage(events, System::nanoTime));
            settler.start();
            redis.call("SET", "dead", "no set");
            List<Lease> jobs = claimed(broker, "refused", "back");
            settler.settle(jobs.get(0), new Settlement.Bury(jobs.get(0).payload()));

            new Returns(settler, () -> false).giveBackFirst(jobs.subList(1, 2));

            assertThat(redis.call("LLEN", "queue:q")).isEqualTo(1L);
            assertThat(settler.flush(LONG)).isFalse();
            settler.stop(Duration.ZERO);
        }
    }

    private static List<Lease> claimed(RedisBroker broker, String... payloads) {
        try (Leasing leasing = broker.leasing();
                Enqueuing enqueuing = broker.enqueuing();
                Claiming claiming = broker.claiming()) {
            leasing.open("me", List.of("q"), LONG);
            enqueuing.push(
                    "q", Stream.of(payloads).map(p -> p.getBytes(StandardCharsets.UTF_8)).toList());
            enqueuing.flush();
            return claiming.claim(List.of("q"), "me", 10, 1 << 20).leases();
        }
    }
}
