package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.lifecycle.Service;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How capsules are stopped. What they are is in `ConfigFileIT`.
@Timeout(60)
final class PoolsTest {
    private static final Duration MOMENT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(50);

    private final CountDownLatch isStopped = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);

    /// A capsule, as far as its stop is concerned.
    private record Stopping(Runnable action) implements Service {
        @Override
        public void start() {}

        @Override
        public void stop(Duration patience) {
            action.run();
        }
    }

    @Test
    void oneThatHangsKeepsNeitherTheOthersNorTheServer() throws InterruptedException {
        Service hangs = new Stopping(() -> await(never));
        Pools.stop(
                List.of(hangs, new Stopping(isStopped::countDown), hangs), Duration.ZERO, MOMENT);

        isStopped.await();
        assertThat(never.getCount()).isOne();
        never.countDown();
    }

    @Test
    void allAreStoppedAtOnceAndWaitedFor() {
        CountDownLatch all = new CountDownLatch(3);
        Service capsule =
                new Stopping(() -> {
                    all.countDown();
                    await(all);
                    isStopped.countDown();
                });

        Pools.stop(List.of(capsule, capsule, capsule), Duration.ZERO, LONG);

        assertThat(isStopped.getCount()).isZero();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
