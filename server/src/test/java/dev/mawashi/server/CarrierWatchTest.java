package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The scheduler belongs to the whole JVM, so each test leaves it as it was.
final class CarrierWatchTest {
    private final VirtualThreadSchedulerMXBean scheduler =
            ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    private final int before = scheduler.getParallelism();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicInteger computing = new AtomicInteger();
    private final CarrierWatch watch = new CarrierWatch();

    @AfterEach
    void giveBack() {
        isOver.set(true);
        watch.stop(Duration.ZERO);
        scheduler.setParallelism(before);
    }

    private void compute() {
        computing.incrementAndGet();
        while (!isOver.get()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void allThreadsGoOnWhileOthersHoldTheirCarriers() {
        int more = 2 * before + 1;
        for (int i = 0; i < more; i++) {
            Thread.ofVirtual().name("mawashi-compute-" + i).start(this::compute);
        }
        Eventually.until("all carriers are held", () -> computing.get() == before);
        watch.start();

        Eventually.until("it made twice as many, twice", () -> computing.get() == more);
        assertThat(scheduler.getParallelism()).isEqualTo(4 * before);
    }
}
