package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.config.RunnerKind;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The scheduler belongs to the whole JVM, so each test leaves it as it was.
final class CarrierWatchTest {
    private final VirtualThreadSchedulerMXBean scheduler =
            ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    private final int before = scheduler.getParallelism();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicInteger computing = new AtomicInteger();
    private final Logger logger = Logger.getLogger(CarrierWatch.class.getName());
    private final List<Level> levels = new CopyOnWriteArrayList<>();
    private final Handler handler = new RecordingHandler();
    private CarrierWatch watch = new CarrierWatch(Set.of(RunnerKind.MRI, RunnerKind.FORK));

    private final class RecordingHandler extends Handler {
        @Override
        public void publish(LogRecord event) {
            levels.add(event.getLevel());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @BeforeEach
    void listen() {
        logger.setLevel(Level.ALL);
        logger.addHandler(handler);
    }

    @AfterEach
    void giveBack() {
        isOver.set(true);
        logger.removeHandler(handler);
        logger.setLevel(null);
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
        Eventually.until("all carriers are held", () -> computing.get() >= before);
        watch.start();

        Eventually.until("it made enough of them", () -> computing.get() == more);
        // While a virtual thread of another test reads a file, the JVM has a carrier more.
        assertThat(scheduler.getParallelism()).isBetween(2 * before, 4 * before);
        // A busy machine is no news where jobs have processes of their own.
        assertThat(levels).containsOnly(Level.FINE);
    }

    @Test
    void whereJobsRunInThisProcessTheirOperatorIsTold() {
        watch = new CarrierWatch(Set.of(RunnerKind.MRI, RunnerKind.JRUBY));
        for (int i = 0; i <= before; i++) {
            Thread.ofVirtual().name("mawashi-compute-" + i).start(this::compute);
        }
        Eventually.until("all carriers are held", () -> computing.get() >= before);
        watch.start();

        Eventually.until("it says so", () -> levels.contains(Level.INFO));
    }
}
