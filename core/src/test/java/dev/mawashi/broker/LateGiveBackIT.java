package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.QueueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Arrivals are given back, and Redis does so only when the sender has given that up.
class LateGiveBackIT {
    private static final String ARRIVALS = "mw:{queue:q}:arrivals:a";

    private final RedisServerForTests server = new RedisServerForTests();
    private final RedisConnection redis = server.connect();
    private final FaultProxy proxy = new FaultProxy(server.address());
    private final Holdings holdings = new Holdings();
    private final ArrivalLists arrivals = new ArrivalLists();
    private final Leasing leasing =
            new RedisLeasing(server.connect(), holdings, arrivals, QueueLayout.SIDEKIQ);
    private final Settling settling =
            new RedisSettling(
                    server.connect(), DeadLimits.DEFAULT, holdings, arrivals, QueueLayout.SIDEKIQ);
    private final Parking parking =
            new RedisParking(
                    new RedisConnection(proxy.address(), "test", Duration.ofSeconds(1)),
                    holdings,
                    arrivals,
                    QueueLayout.SIDEKIQ);

    @AfterEach
    void stop() {
        parking.close();
        settling.close();
        leasing.close();
        proxy.close();
        redis.close();
        server.close();
    }

    @Test
    void aJobThatHasBegunSinceIsNotGivenBack() {
        leasing.open("a", List.of("q"), Duration.ofMinutes(5));
        parking.giveBack("q", "a");
        proxy.strand();
        assertThatThrownBy(() -> parking.giveBack("q", "a")).isInstanceOf(RedisFailure.class);
        redis.call("LPUSH", "queue:q", "1");
        var job = (Parking.Arrival.Job) parking.awaitArrival("q", "a", Duration.ofMinutes(1));
        parking.begin(job);
        long calls = calls();

        proxy.deliver();

        Eventually.until("it is done late", () -> calls() > calls);
        assertThat(redis.call("LLEN", ARRIVALS)).isEqualTo(1L);
        List<Settled> arrived = List.of(new Settled(job.lease(), Settlement.ARRIVED));
        settling.settle(arrived);
        assertThat(redis.call("EXISTS", ARRIVALS, "queue:q")).isEqualTo(0L);
        List<Settled> end = List.of(new Settled(job.lease(), Settlement.ACK));
        assertThat(settling.settle(end).late()).isZero();
    }

    /// How often scripts were called by their hash.
    private long calls() {
        String stats =
                new String((byte[]) redis.call("INFO", "commandstats"), StandardCharsets.UTF_8);
        String of = "cmdstat_evalsha:calls=";
        int at = stats.indexOf(of) + of.length();
        return Long.parseLong(stats.substring(at, stats.indexOf(',', at)));
    }

    @Test
    void jobsAreClaimedAsBefore() {
        leasing.open("a", List.of("q"), Duration.ofMinutes(5));
        arrivals.giveBackLost("q");
        redis.call("LPUSH", ARRIVALS, "1");
        redis.call("LPUSH", "queue:q", "2");
        parking.giveBack("q", "a");

        try (Claiming claiming =
                new RedisClaiming(
                        server.connect(),
                        holdings,
                        arrivals,
                        DeadLimits.DEFAULT,
                        QueueLayout.SIDEKIQ)) {
            assertThat(claiming.claim(List.of("q"), "a", 5, 100).leases()).hasSize(2);
        }
    }
}
