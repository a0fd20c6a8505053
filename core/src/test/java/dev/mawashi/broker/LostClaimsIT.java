package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A claim's reply is lost while a key of one of its queues is of a wrong type: the other queues go
/// on, and that one does as well once the key is put right.
final class LostClaimsIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final List<String> BOTH = List.of("odd", "good");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final RedisConnection redis = SERVER.connect();
    private final FaultProxy proxy = new FaultProxy(SERVER.address());
    private final RedisBroker broker = new RedisBroker(proxy.address(), DeadLimits.DEFAULT);
    private final Claiming claiming = broker.claiming();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void openLeases() {
        SERVER.flushAll();
        try (Leasing leasing = broker.leasing()) {
            leasing.open("a", BOTH, Duration.ofMinutes(5));
        }
        // The script is known from here on.
        assertThat(claim()).isEmpty();
    }

    @AfterEach
    void close() {
        claiming.close();
        proxy.close();
        redis.close();
    }

    private List<String> claim() {
        return BrokerContract.texts(claiming.claim(BOTH, "a", 10, 1_000).leases());
    }

    /// Claims jobs 1 and 2 of the odd queue and 3 of the good one, and hears nothing of it.
    private void loseAClaim() {
        redis.call("LPUSH", "queue:odd", "1", "2");
        redis.call("LPUSH", "queue:good", "3");
        proxy.cutAfterReplyBytes(proxy.bursts() + 1, 0);
        assertThatThrownBy(this::claim).isInstanceOf(RedisFailure.class);
    }

    private void spoil(String key) {
        if (redis.call("EXISTS", key) instanceof Long number && number == 1) {
            redis.call("RENAME", key, "aside");
        }
        redis.call("SET", key, "x");
    }

    private void putRight(String key) {
        redis.call("DEL", key);
        if (redis.call("EXISTS", "aside") instanceof Long number && number == 1) {
            redis.call("RENAME", "aside", key);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue:odd", "mw:{queue:odd}:inflight:a", "mw:{queue:odd}:leases"})
    void theOtherQueuesGoOnAndThatOneDoesOnceItsKeyIsPutRight(String key) {
        loseAClaim();
        spoil(key);

        assertThat(claim()).containsExactly("3");
        redis.call("LPUSH", "queue:good", "4");
        Claiming.Claimed claimed = claiming.claim(BOTH, "a", 10, 1_000);
        assertThat(BrokerContract.texts(claimed.leases())).containsExactly("4");
        assertThat(claimed.unusable()).containsExactly("odd");
        redis.call("LPUSH", "queue:good", "5");
        try (Parking parking = broker.parking()) {
            assertThat(parking.awaitArrival("good", "a", LIMIT))
                    .isInstanceOf(Parking.Arrival.Job.class);
        }

        putRight(key);
        List<String> odd = new ArrayList<>();
        Eventually.until(
                "its jobs are there again", LIMIT, () -> odd.addAll(claim()) && odd.size() == 2);
        assertThat(odd).containsExactly("1", "2");
        Eventually.until(
                "nothing is set aside",
                LIMIT,
                () -> claiming.claim(BOTH, "a", 10, 1_000).unusable().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"suspects", "alone"})
    void oneQueuesSuspectsKeepNoOthersFromRunning(String name) {
        String key = "mw:{queue:odd}:" + name;
        redis.call("RPUSH", "mw:{queue:odd}:suspects", "1");
        redis.call("RPUSH", "mw:{queue:good}:suspects", "2");
        spoil(key);

        Optional<Claiming.Suspect> good = claiming.claimSuspect(BOTH, "a");
        assertThat(good.map(one -> new String(one.lease().payload(), StandardCharsets.UTF_8)))
                .contains("2");
        assertThatThrownBy(() -> claiming.claimSuspect(BOTH, "a")).isInstanceOf(RedisFailure.class);
        try (Leasing leasing = broker.leasing()) {
            // No process is started for what it could not claim.
            assertThatThrownBy(() -> leasing.recover("odd", "b")).isInstanceOf(RedisFailure.class);
            assertThat(leasing.recover("good", "b").waiting()).isZero();
        }

        putRight(key);
        Optional<Claiming.Suspect> odd = claiming.claimSuspect(BOTH, "a");
        assertThat(odd.map(one -> new String(one.lease().payload(), StandardCharsets.UTF_8)))
                .contains("1");
    }

    @Test
    void whatOneQueueRefusesKeepsNoOthersArrivalsFromGoingBack() {
        redis.call("SET", "mw:{queue:odd}:arrivals:a", "x");
        redis.call("RPUSH", "mw:{queue:good}:arrivals:a", "1");

        claiming.giveBack(BOTH, "a");

        assertThat(redis.call("LLEN", "queue:good")).isEqualTo(1L);
    }

    @Test
    void whatIsAsideWhenTheClaimerClosesKeepsNobodyFromParking() {
        loseAClaim();
        spoil("mw:{queue:odd}:leases");
        assertThat(claim()).containsExactly("3");
        claiming.close();

        redis.call("RPUSH", "queue:odd", "6");
        try (Parking parking = broker.parking()) {
            assertThat(parking.awaitArrival("odd", "a", LIMIT))
                    .isInstanceOf(Parking.Arrival.Job.class);
        }
    }
}
