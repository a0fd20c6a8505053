package dev.mawashi.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Semaphore steps = new Semaphore(0);

    private Duration step() {
        steps.release();
        return Loop.UNTIL_WOKEN;
    }

    @Test
    void theFarewellRunsOnTheThreadOfTheSteps() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Loop loop =
                Loop.platform(
                                "test",
                                () -> {
                                    threads.add(Thread.currentThread());
                                    return step();
                                })
                        .farewell(() -> threads.add(Thread.currentThread()));
        loop.start();
        steps.acquireUninterruptibly();

        loop.stop(LONG);

        assertThat(threads).hasSize(2);
        assertThat(threads.getFirst()).isSameAs(threads.getLast());
        assertThat(threads.getFirst().getName()).isEqualTo("mawashi-test-1");
    }

    @Test
    void aStopDoesNotUseWhatAHangingStepStillUses() throws InterruptedException {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        CountDownLatch isOver = new CountDownLatch(1);
        Loop loop =
                Loop.virtual(
                                "test",
                                () -> {
                                    steps.release();
                                    await(mayGoOn);
                                    return Duration.ZERO;
                                })
                        .farewell(isOver::countDown);
        loop.start();
        steps.acquireUninterruptibly();

        loop.stop(Duration.ZERO);

        assertThat(isOver.getCount()).isOne();
        mayGoOn.countDown();
        assertThat(isOver.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(steps.availablePermits()).isZero();
    }

    @Test
    void aWakeDuringAStepIsNotLostWhenTheStepParksToo() {
        CountDownLatch isWoken = new CountDownLatch(1);
        Loop loop =
                Loop.platform(
                        "test",
                        () -> {
                            steps.release();
                            await(isWoken);
                            // Takes the permit of the wake-up, as a lock or a socket may.
                            LockSupport.parkNanos(1);
                            return Loop.UNTIL_WOKEN;
                        });
        loop.start();
        steps.acquireUninterruptibly();

        loop.wake();
        isWoken.countDown();

        steps.acquireUninterruptibly();
        loop.stop(LONG);
    }

    @Test
    void aStopEndsAWaitWithinAStep() {
        CountDownLatch wait = new CountDownLatch(1);
        Loop loop =
                Loop.virtual(
                                "test",
                                () -> {
                                    steps.release();
                                    await(wait);
                                    return Duration.ZERO;
                                })
                        .wakingSteps(wait::countDown);
        loop.start();
        steps.acquireUninterruptibly();

        loop.stop(LONG);

        assertThat(steps.availablePermits()).isZero();
    }

    @Test
    void oneThatIsOverSaysFarewellByItself() throws InterruptedException {
        CountDownLatch isOver = new CountDownLatch(1);
        Loop loop =
                Loop.platform(
                                "test",
                                () -> {
                                    step();
                                    return Loop.OVER;
                                })
                        .farewell(isOver::countDown);

        loop.start();

        assertThat(isOver.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(steps.availablePermits()).isOne();
    }

    @Test
    void oneThatNeverStartedTakesNoStepAndSaysNoFarewell() {
        Loop loop = Loop.platform("test", this::step).farewell(steps::release);

        loop.stop(LONG);

        assertThat(steps.availablePermits()).isZero();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
