package dev.mawashi.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.dispatch.CapsuleRig;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.dispatch.GatedRunner;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An idle process whose lease Redis has lost or let lapse, and a job that comes. The lease would
/// not be renewed for 20 minutes.
class LostLeaseIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration LONG = Duration.ofHours(1);
    private static final String LEASES = "mw:{queue:q}:leases";

    private final GatedRunner runner = new GatedRunner();
    private final RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
    private final CapsuleRig rig =
            new CapsuleRig(
                    broker,
                    runner,
                    new CapsuleSettings("test", 5, QueueOrder.strict(List.of("q"))));
    private final LeaseKeeper keeper =
            new LeaseKeeper(
                    broker.leasing(),
                    rig.epoch(),
                    List.of("q"),
                    new LeaseSettings(LONG, LONG),
                    rig::settleAgain,
                    rig.events(),
                    new Outage(rig.events(), System::nanoTime));

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.flushAll();
        keeper.start();
        rig.start();
        awaitParked();
    }

    @AfterEach
    void stop() {
        runner.open();
        rig.close();
        keeper.stop(Duration.ofSeconds(20));
    }

    private static @Nullable Object call(String... command) {
        try (RedisConnection redis = SERVER.connect()) {
            return redis.call(command);
        }
    }

    private static void awaitParked() {
        Eventually.until(
                "it is parked",
                () ->
                        call("INFO", "clients") instanceof byte[] info
                                && new String(info, StandardCharsets.UTF_8)
                                        .contains("blocked_clients:1"));
    }

    private String owner() {
        return rig.epoch().owner();
    }

    private boolean isLeased() {
        return call("ZSCORE", LEASES, owner()) instanceof byte[] score
                && Double.parseDouble(new String(score, StandardCharsets.US_ASCII)) > 1;
    }

    /// A claim that is lost in a restart leaves a floor among the jobs.
    private boolean isInFlight(long jobs) {
        String inFlight = "mw:{queue:q}:inflight:" + owner();
        long others = (Long) Objects.requireNonNull(call("HEXISTS", inFlight, "floor"));
        return Objects.equals(call("HLEN", inFlight), jobs + others);
    }

    private void lose(String how) {
        switch (how) {
            case "all" -> call("FLUSHALL");
            case "lease" -> call("DEL", LEASES);
            case "lapsed" -> call("ZADD", LEASES, "1", owner());
            default -> {
                call("ZADD", LEASES, "1", owner());
                call("SAVE");
                SERVER.crashAndStart();
                awaitParked();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "lease", "lapsed", "restart"})
    void aJobThatComesRunsOnceAndTheLeaseIsRenewedAtOnce(String how) {
        lose(how);
        rig.push("q", "1");

        runner.awaitRunning(1);
        Eventually.until("the lease is renewed", this::isLeased);
        Eventually.until("it is in flight", () -> isInFlight(1));
        rig.push("q", "2");
        runner.awaitRunning(2);
        runner.open();
        rig.awaitEnded(2);
        rig.flush();

        Eventually.until("they are settled", () -> isInFlight(0));
        assertThat(runner.started()).containsExactly("1", "2");
        assertThat(call("EXISTS", "queue:q", "mw:{queue:q}:arrivals:" + owner())).isEqualTo(0L);
        assertThat(rig.events().of(Event.SettledLate.class)).isEmpty();
        assertThat(rig.events().of(Event.OwnerFenced.class)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "lease", "lapsed", "restart"})
    void aJobThatEndsAtOnceRunsOnceToo(String how) {
        runner.open();
        lose(how);
        rig.push("q", "1");

        rig.awaitEnded(1);
        rig.flush();
        Eventually.until("the lease is renewed", this::isLeased);
        rig.push("q", "2");
        rig.awaitEnded(2);
        rig.flush();

        Eventually.until("they are settled", () -> isInFlight(0));
        assertThat(runner.started()).containsExactly("1", "2");
        assertThat(rig.events().of(Event.SettledLate.class)).isEmpty();
    }
}
