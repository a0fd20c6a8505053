package dev.mawashi.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Claims that a fetcher has under way before it needs their jobs: how many, when none is added,
/// and what becomes of one whose reply is lost.
class FetchAheadIT extends FetcherRig {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    FetchAheadIT() {
        super(SERVER);
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    /// Of claims that are under way none brings a job where Redis does not know the script.
    @BeforeEach
    void haveTheScriptKnown() {
        try (Claiming claiming = broker.claiming()) {
            assertThat(claiming.claim(List.of("q"), "nobody", 1, 1 << 20).leases()).isEmpty();
        }
    }

    private void pushNumbers(int count) {
        String[] command = new String[2 + count];
        command[0] = "LPUSH";
        command[1] = "queue:q";
        for (int i = 0; i < count; i++) {
            command[2 + i] = Integer.toString(i);
        }
        redis.call(command);
    }

    @Test
    void whereTwoClaimsAreWantedTheSecondIsUnderWayWhenTheFirstHasCome() {
        Fetcher fetcher = fetcher("me", List.of("q"));
        int most = Fetcher.CLAIM_MAX;
        pushNumbers(3 * most + 5);

        assertThat(texts(fetcher.claim(2 * most - 1))).hasSize(most).startsWith("0");
        assertThat(fetcher.hasAsked()).isFalse();
        assertThat(fetcher.isDrained()).isFalse();
        List<String> rest = new ArrayList<>(texts(fetcher.claim(2 * most)));
        assertThat(fetcher.hasAsked()).isTrue();
        rest.addAll(texts(fetcher.claim(2 * most)));
        assertThat(fetcher.hasAsked()).isTrue();
        assertThat(fetcher.isDrained()).isFalse();
        rest.addAll(texts(fetcher.claim(most)));

        assertThat(fetcher.hasAsked()).isFalse();
        assertThat(fetcher.isDrained()).isTrue();
        assertThat(rest)
                .hasSize(2 * most + 5)
                .startsWith(Integer.toString(most))
                .endsWith(Integer.toString(3 * most + 4));
    }

    @Test
    void threeClaimsAreUnderWayAtMost() {
        Fetcher fetcher = fetcher("me", List.of("q"));
        int most = Fetcher.CLAIM_MAX;
        pushNumbers(5 * most);
        List<String> all = new ArrayList<>();

        for (int taken = 3; taken <= 5; taken++) {
            all.addAll(texts(fetcher.claim(9 * most)));
            long held = (long) taken * most;
            Eventually.until(
                    held + " are in the in-flight store",
                    () ->
                            Long.valueOf(held)
                                    .equals(redis.call("HLEN", "mw:{queue:q}:inflight:me#0")));
        }
        all.addAll(texts(fetcher.claim(0)));
        all.addAll(texts(fetcher.claim(0)));

        assertThat(fetcher.hasAsked()).isFalse();
        assertThat(all)
                .isEqualTo(IntStream.range(0, 5 * most).mapToObj(Integer::toString).toList());
    }

    @Test
    void noClaimIsAddedToOnesUnderWayWhileAJobHasArrived() {
        Fetcher fetcher = fetcher("me", List.of("other", "q"));
        int most = Fetcher.CLAIM_MAX;
        waiting(fetcher);
        awaitParked(2);
        pushNumbers(6 * most);
        Eventually.until("the parker of it took one", fetcher::hasArrival);
        assertThat(texts(fetcher.claim(2 * most))).hasSize(most);
        assertThat(texts(fetcher.claim(2 * most))).hasSize(most);
        assertThat(fetcher.hasAsked()).isTrue();
        redis.call("LPUSH", "queue:other", "woke");
        Eventually.until("it is told", fetcher::hasArrival);

        assertThat(texts(fetcher.claim(3 * most))).hasSize(most);

        assertThat(fetcher.hasAsked()).isFalse();
        assertThat(texts(fetcher.claim(2 * most))).hasSize(most).contains("woke");
        assertThat(fetcher.hasAsked()).isFalse();
    }

    @Test
    void givingBackAlsoGivesUpAClaimWhoseReplyWasLost() {
        redis.call("LPUSH", "queue:q", "1", "2");
        try (FaultProxy proxy = new FaultProxy(SERVER.address());
                var leasing = broker.leasing();
                var claiming = new RedisBroker(proxy.address(), DeadLimits.DEFAULT).claiming()) {
            leasing.open("me", List.of("q"), LONG);
            claiming.giveBack(List.of("q"), "me");
            proxy.cutAfterReplyBytes(proxy.bursts() + 1, 0);
            assertThatThrownBy(() -> claiming.claim(List.of("q"), "me", 5, 1 << 20))
                    .isInstanceOf(RedisFailure.class);
            assertThat(redis.call("HLEN", "mw:{queue:q}:inflight:me")).isEqualTo(2L);

            claiming.giveBack(List.of(), "me");

            assertThat(redis.call("LLEN", "queue:q")).isEqualTo(2L);
        }
    }
}
