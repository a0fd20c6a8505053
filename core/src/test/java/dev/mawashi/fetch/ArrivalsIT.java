package dev.mawashi.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settled;
import dev.mawashi.broker.Settlement;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// A job that arrives begins on the thread that heard of it, and is nobody else's.
class ArrivalsIT extends FetcherRig {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    ArrivalsIT() {
        super(SERVER);
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    private Lease awaitBegun(String job) {
        Eventually.until(job + " begins", () -> !begun.isEmpty());
        Lease lease = begun.remove();
        assertThat(new String(lease.payload(), StandardCharsets.UTF_8)).isEqualTo(job);
        return lease;
    }

    @Test
    void whatHasBegunIsNotClaimedAndNobodyParksThereUntilItIsInFlight() {
        areBegun = true;
        Fetcher fetcher = fetcher("me", List.of("q"));
        Thread waiter = waiting(fetcher);
        awaitParked(1);

        redis.call("LPUSH", "queue:q", "1");

        Lease lease = awaitBegun("1");
        awaitEnd(waiter);
        redis.call("LPUSH", "queue:q", "2");
        assertThat(fetcher.isDrained()).isFalse();
        assertThat(texts(fetcher.claim(5))).containsExactly("2");
        assertThat(fetcher.hasArrival()).isFalse();
        fetcher.giveBack();
        waiting(fetcher);
        redis.call("LPUSH", "queue:q", "3");
        assertThat(redis.call("LLEN", "queue:q")).isEqualTo(1L);

        try (var settling = broker.settling()) {
            settling.settle(List.of(new Settled(lease, Settlement.ARRIVED)));
            awaitBegun("3");
            assertThat(settling.settle(List.of(new Settled(lease, Settlement.ACK))).late())
                    .isZero();
        }
        assertThat(redis.call("HLEN", "mw:{queue:q}:inflight:me#0")).isEqualTo(1L);
    }

    @Test
    void whatComesForAnOwnerThatOthersMayHaveRecoveredIsGivenBackFirst() {
        areBegun = true;
        Fetcher fetcher = fetcher("me", List.of("q"));
        waiting(fetcher);
        awaitParked(1);

        epoch("me").advance();
        redis.call("LPUSH", "queue:q", "1");

        assertThat(awaitBegun("1").owner()).isEqualTo("me#1");
        assertThat(redis.call("EXISTS", "mw:{queue:q}:arrivals:me#0")).isEqualTo(0L);
        assertThat(redis.call("LLEN", "mw:{queue:q}:arrivals:me#1")).isEqualTo(1L);
    }

    @Test
    void whatFoundNoSlotAndIsNotClaimedIsNotForgottenByWhoParksNext() {
        Fetcher busy = fetcher("me", List.of("q"));
        waiting(busy);
        awaitParked(1);
        redis.call("LPUSH", "queue:q", "1");
        Eventually.until("it is left to the claims", busy::hasArrival);
        areBegun = true;

        waiting(fetcher("me", List.of("q")));

        awaitBegun("1");
    }

    @Test
    void nobodyParksForLongerThanTheLeaseIsGood() {
        Fetcher fetcher = fetcher("me", List.of("q"));
        epoch("me").leasedUntil(System.nanoTime() + Duration.ofSeconds(1).toNanos());
        waiting(fetcher);

        awaitParked(1);
        awaitParked(0);
        redis.call("LPUSH", "queue:q", "1");

        assertThat(redis.call("LLEN", "queue:q")).isEqualTo(1L);
    }
}
