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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A failover that comes between a settlement and its answer, and keeps what it did.
class UnansweredIT {
    private static final List<String> Q = List.of("q");
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final byte[] JOB = "job".getBytes(StandardCharsets.UTF_8);
    private static final Settlement RETRY = new Settlement.Retry(JOB, Duration.ofHours(1));

    private final RedisServerForTests server = new RedisServerForTests();
    private final RedisConnection redis = server.connect();
    private final FaultProxy proxy = new FaultProxy(server.address());
    private final Holdings holdings = new Holdings();
    private final ArrivalLists arrivals = new ArrivalLists();
    private final Leasing leasing =
            new RedisLeasing(server.connect(), holdings, arrivals, QueueLayout.SIDEKIQ);
    private final Claiming claiming =
            new RedisClaiming(
                    server.connect(), holdings, arrivals, DeadLimits.DEFAULT, QueueLayout.SIDEKIQ);
    private final Settling settling =
            new RedisSettling(
                    new RedisConnection(proxy.address(), "test", LONG),
                    DeadLimits.DEFAULT,
                    holdings,
                    arrivals,
                    QueueLayout.SIDEKIQ);
    private List<Settled> failed = List.of();

    /// The server has the script then, so that one burst does it.
    @BeforeEach
    void settleOneOfTwo() {
        redis.call("LPUSH", "queue:q", "one", "two");
        leasing.open("me", Q, LONG);
        List<Lease> leases = claiming.claim(Q, "me", 2, 1_000).leases();
        settling.settle(List.of(new Settled(leases.get(0), RETRY)));
        failed = List.of(new Settled(leases.get(1), RETRY));
    }

    @AfterEach
    void close() {
        leasing.close();
        claiming.close();
        settling.close();
        proxy.close();
        redis.close();
        server.close();
    }

    private void assertNothingIsHeldAgain() {
        RedisPast past = new RedisPast(redis);
        past.save();
        past.goBack();
        assertThat(leasing.renew("me", Q, LONG).doubt()).isEqualTo(Leasing.Doubt.WENT_BACK);
        assertThat(leasing.compare("me", Q, true).isNone()).isTrue();
    }

    @Test
    void aSettlementThatWasMadeAndNotAnsweredIsMadeOnce() {
        proxy.cutAfterReplyBytes(proxy.bursts() + 1, 0);
        assertThatThrownBy(() -> settling.settle(failed)).isInstanceOf(RedisFailure.class);

        assertNothingIsHeldAgain();

        settling.settle(failed);
        assertThat(redis.call("ZCARD", "retry")).isEqualTo(2L);
        assertThat(redis.call("HLEN", "mw:{queue:q}:inflight:me")).isEqualTo(0L);
    }

    @Test
    void soIsOneWhoseAnswerIsLate() {
        proxy.holdReplies();
        CompletableFuture<SettleReport> settled =
                CompletableFuture.supplyAsync(() -> settling.settle(failed));
        Eventually.until("it is made", () -> Objects.equals(redis.call("ZCARD", "retry"), 2L));

        assertNothingIsHeldAgain();

        proxy.releaseReplies();
        assertThat(settled.join().late()).isZero();
        assertThat(leasing.compare("me", Q, true).isNone()).isTrue();
    }
}
