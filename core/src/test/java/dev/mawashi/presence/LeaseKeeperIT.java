package dev.mawashi.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaseKeeperIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final List<String> QUEUES = List.of("high", "low");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final FaultProxy proxy = new FaultProxy(SERVER.address());
    private final RedisBroker direct = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
    private final RecordedEvents events = new RecordedEvents();
    private final Epoch epoch = new Epoch("me");
    private final LeaseKeeper keeper =
            new LeaseKeeper(
                    new RedisBroker(proxy.address(), DeadLimits.DEFAULT).leasing(),
                    epoch,
                    QUEUES,
                    new LeaseSettings(SECOND, SECOND),
                    _ -> {},
                    events,
                    new Outage(events, System::nanoTime));

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
        keeper.stop(LONG);
        proxy.close();
    }

    private boolean isLeased() {
        return epoch.isLeased(System.nanoTime());
    }

    private static List<String> recovered(Leasing leasing) {
        return QUEUES.stream()
                .flatMap(queue -> leasing.recover(queue, "").owners().stream())
                .toList();
    }

    @Test
    void aShortOutageEndsWithTheSameOwner() {
        keeper.start();
        proxy.shut();
        Eventually.until("it notices", () -> !events.of(Event.BrokerDown.class).isEmpty());
        proxy.admit();

        Eventually.until("it is back", () -> !events.of(Event.BrokerUp.class).isEmpty());
        Eventually.until("it is leased", this::isLeased);
        assertThat(epoch.owner()).isEqualTo("me#0");
    }

    @Test
    void anOwnerRecoveredDuringAnOutageStartsNothingAndComesBackAsAnother() {
        keeper.start();
        proxy.shut();
        try (Leasing other = direct.leasing()) {
            Eventually.until("others may recover it", () -> recovered(other).contains("me#0"));
        }
        assertThat(isLeased()).isFalse();

        proxy.admit();

        Eventually.until("a new epoch", this::isLeased);
        assertThat(epoch.owner()).isEqualTo("me#1");
        assertThat(events.of(Event.OwnerFenced.class)).hasSize(1);
    }

    @Test
    void withoutRedisItStartsAndOpensTheLeaseLater() {
        proxy.shut();
        keeper.start();
        assertThat(isLeased()).isFalse();

        proxy.admit();

        Eventually.until("the lease is open", this::isLeased);
        assertThat(epoch.owner()).isEqualTo("me#0");
    }

    @Test
    void aServerThatForgotEverythingGetsTheQueuesAndALeaseAgain() {
        keeper.start();
        SERVER.flushAll();

        try (RedisConnection redis = SERVER.connect()) {
            Eventually.until(
                    "both queues are served",
                    () -> redis.call("SCARD", "mw:queues") instanceof Long count && count == 2);
            assertThat(redis.call("ZCARD", "mw:{queue:low}:leases")).isEqualTo(1L);
        }
        assertThat(epoch.owner()).isEqualTo("me#0");
    }

    @Test
    void aStopWithoutRedisEndsAndLeavesTheLeaseToLapse() {
        keeper.start();
        proxy.shut();

        keeper.stop(SECOND);

        try (Leasing other = direct.leasing()) {
            Eventually.until("it lapses", () -> recovered(other).contains("me#0"));
        }
    }
}
