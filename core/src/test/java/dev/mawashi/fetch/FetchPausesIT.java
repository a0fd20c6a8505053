package dev.mawashi.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// A queue that is paused is neither claimed from nor waited for, until the pause ends.
class FetchPausesIT extends FetcherRig {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    FetchPausesIT() {
        super(SERVER);
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @Test
    void aPausedQueueIsNeitherClaimedFromNorParkedAtAndTheOthersAre() {
        pauses.set(Set.of("first"));
        Fetcher fetcher = fetcher("me", List.of("first", "second"));
        waiting(fetcher);
        awaitParked(1);
        redis.call("LPUSH", "queue:first", "no");
        redis.call("LPUSH", "queue:second", "yes");

        Eventually.until("it wakes", fetcher::hasArrival);
        assertThat(texts(fetcher.claim(5))).containsExactly("yes");

        assertThat(redis.call("LLEN", "queue:first")).isEqualTo(1L);
    }

    @Test
    void aJobThatComesToAParkerAfterThePauseGoesBackToTheHeadAndStaysThere() {
        Fetcher fetcher = fetcher("me", List.of("q"));
        waiting(fetcher);
        awaitParked(1);
        pauses.set(Set.of("q"));
        redis.call("LPUSH", "queue:q", "1", "2");
        Eventually.until("the parker took it", fetcher::hasArrival);

        assertThat(texts(fetcher.claim(5))).isEmpty();
        waiting(fetcher);

        assertThat(redis.call("LRANGE", "queue:q", "0", "-1"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .containsExactly(
                        "2".getBytes(StandardCharsets.UTF_8), "1".getBytes(StandardCharsets.UTF_8));
        awaitParked(0);
    }

    @Test
    void theEndOfAPauseEndsTheWait() throws InterruptedException {
        pauses.set(Set.of("q"));
        Fetcher fetcher = fetcher("me", List.of("q"));
        Thread waiter = waiting(fetcher);
        redis.call("LPUSH", "queue:q", "1");
        assertThat(texts(fetcher.claim(5))).isEmpty();

        pauses.set(Set.of());

        assertThat(waiter.join(Duration.ofSeconds(60))).isTrue();
        assertThat(texts(fetcher.claim(5))).containsExactly("1");
    }
}
