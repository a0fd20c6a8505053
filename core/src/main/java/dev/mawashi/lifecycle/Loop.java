package dev.mawashi.lifecycle;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A thread that takes one step after another until it is stopped, and then says farewell.
///
/// Steps and farewell run on that one thread, so what they use, a connection above all, is never
/// used by two. A step that hangs is left to itself once the patience of `stop` is over; the
/// farewell then follows when the step ends, or never.
///
/// A step deals with its own failures. What it throws ends the thread, as any uncaught throwable
/// does.
public final class Loop implements Service {
    /// What a step returns to sleep until `wake` or `stop`.
    public static final Duration UNTIL_WOKEN = Duration.ofNanos(Long.MAX_VALUE);

    /// What a step returns to have no other step follow.
    public static final Duration OVER = Duration.ofNanos(-1);

    private final Thread.Builder builder;
    private final Supplier<Duration> step;
    private Runnable farewell = () -> {};
    private Runnable wakeStep = () -> {};
    private volatile boolean isStopping;
    private volatile boolean isWoken;
    private volatile @Nullable Thread thread;

    private Loop(Thread.Builder builder, String name, Supplier<Duration> step) {
        this.builder = builder.name("mawashi-" + name + "-1");
        this.step = step;
    }

    /// A loop on a platform thread, which runs whatever holds the carriers of virtual ones.
    ///
    /// @param name in the thread's name, `mawashi-NAME-1`
    /// @param step returns how long to sleep before the next one: zero or more, `UNTIL_WOKEN` or
    ///   `OVER`
    public static Loop platform(String name, Supplier<Duration> step) {
        return new Loop(Thread.ofPlatform().daemon(), name, step);
    }

    /// A loop on a virtual thread; otherwise as `platform`.
    public static Loop virtual(String name, Supplier<Duration> step) {
        return new Loop(Thread.ofVirtual(), name, step);
    }

    /// Has this run on the loop's thread after its last step. To be called before `start`.
    public Loop farewell(Runnable action) {
        farewell = action;
        return this;
    }

    /// Has `stop` call this, which must end a wait within a step. To be called before `start`.
    public Loop wakingSteps(Runnable action) {
        wakeStep = action;
        return this;
    }

    @Override
    public void start() {
        thread = builder.start(this::run);
    }

    private void run() {
        Duration sleep = Duration.ZERO;
        while (!isStopping && !sleep.isNegative()) {
            isWoken = false;
            sleep = step.get();
            // A step may park too, so that the permit of a wake-up meanwhile may be gone.
            if (sleep.isPositive() && !isWoken && !isStopping) {
                LockSupport.parkNanos(this, TimeUnit.NANOSECONDS.convert(sleep));
            }
        }
        farewell.run();
    }

    /// Ends the loop's sleep, or the next one if a step is under way. Safe for any thread, also
    /// before `start`.
    public void wake() {
        isWoken = true;
        LockSupport.unpark(thread);
    }

    /// Whether `stop` was called: what fails from then on may be no news.
    public boolean isStopping() {
        return isStopping;
    }

    /// Waits for the step under way and the farewell.
    @Override
    public void stop(Duration patience) {
        isStopping = true;
        wakeStep.run();
        Thread running = thread;
        if (running == null) {
            return;
        }
        LockSupport.unpark(running);
        try {
            running.join(patience.plus(Duration.ofMillis(100)));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
