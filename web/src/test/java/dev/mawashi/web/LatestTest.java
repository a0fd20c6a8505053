package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LatestTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final AtomicInteger reads = new AtomicInteger();

    @Test
    void readsOnceForAllWhoAskAtATimeAndAgainWhenItIsOld() {
        try (Latest<Integer> kept = new Latest<>(reads::incrementAndGet, Duration.ofHours(1));
                Latest<Integer> old = new Latest<>(reads::incrementAndGet, Duration.ZERO)) {
            assertThat(kept.get(LONG)).contains(1);
            assertThat(kept.get(LONG)).contains(1);
            assertThat(old.get(LONG)).contains(2);
            assertThat(old.get(LONG)).contains(3);
        }
    }

    @Test
    void nobodyWaitsLongerThanTheirPatienceAndTheNextHasWhatCame() throws InterruptedException {
        CountDownLatch slow = new CountDownLatch(1);
        Latest<Integer> late =
                new Latest<>(
                        () -> {
                            try {
                                slow.await();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            return reads.incrementAndGet();
                        },
                        Duration.ZERO);
        try (late) {
            assertThat(late.get(Duration.ofMillis(1))).isEmpty();
            assertThat(late.get(Duration.ofMillis(1))).isEmpty();
            slow.countDown();
            // Of the one that all waited for, or of one begun since.
            assertThat(late.get(LONG)).hasValueSatisfying(value -> assertThat(value).isIn(1, 2));
        }
    }

    @Test
    void withoutRedisThereIsNothingAndADefectIsOne() {
        RedisConnection nowhere =
                new RedisConnection(
                        RedisAddress.parse("redis://127.0.0.1:1"), "test", Duration.ofSeconds(1));
        try (Latest<Object> none = new Latest<>(() -> nowhere.call("PING") + "", Duration.ZERO);
                Latest<Object> defect = new Latest<>(() -> Integer.parseInt("x"), Duration.ZERO)) {
            assertThat(none.get(LONG)).isEmpty();
            assertThatThrownBy(() -> defect.get(LONG))
                    .hasRootCauseMessage("For input string: \"x\"");
        }
    }
}
