package dev.mawashi.schedule;

import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Moves jobs that are due, over and over: between two looks it sleeps until the next due time that
/// is known, or until something has changed.
final class DueLoop implements Service {
    /// Jobs that are moved together, which holds Redis for 0.2 ms.
    static final int BATCH = 100;

    /// Most bytes of them, since large ones hold Redis for longer.
    static final int BATCH_BYTES = 256 << 10;

    /// A session whose connection is cut while this sleeps hears of no change, and finds out when
    /// it next looks.
    private static final Duration SLEEP_MAX = Duration.ofSeconds(5);

    /// Shortest time between two looks, so that a busy enqueuer does not keep this thread busy.
    static final Duration SLEEP_MIN = Duration.ofMillis(5);

    private final String name;
    private final Supplier<Duration> move;
    private final Consumer<Duration> awaitChange;
    private final Outage outage;
    private final Backoff backoff = new Backoff();
    private final Loop loop;

    /// @param name of the thread, and of what failed in the log
    /// @param move looks and moves; returns how long nothing else is due, see `until`, or zero to
    ///   look again at once
    /// @param awaitChange waits for a change, that long at most
    DueLoop(String name, Supplier<Duration> move, Consumer<Duration> awaitChange, Outage outage) {
        this.name = name;
        this.move = move;
        this.awaitChange = awaitChange;
        this.outage = outage;
        loop = Loop.platform(name, this::step);
    }

    /// Has `stop` end a wait by `wake`, and the thread close what it used by `close`.
    DueLoop over(Runnable wake, Runnable close) {
        loop.wakingSteps(wake).farewell(close);
        return this;
    }

    /// How long to sleep.
    ///
    /// @param nextMillis until something is due; empty when nothing is known to be
    static Duration until(OptionalLong nextMillis) {
        long most = SLEEP_MAX.toMillis();
        return Duration.ofMillis(Math.min(nextMillis.orElse(most), most));
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration step() {
        try {
            Duration wait = move.get();
            // Only now: where moving is refused, looking still succeeds each time.
            outage.up();
            backoff.reset();
            if (!wait.isZero()) {
                sleep(wait);
            }
        } catch (RuntimeException failure) {
            if (!loop.isStopping()) {
                outage.failed(name, failure);
                backoff.pause();
            }
        }
        return Duration.ZERO;
    }

    private void sleep(Duration wait) {
        long started = System.nanoTime();
        awaitChange.accept(wait);
        Duration slept = Duration.ofNanos(System.nanoTime() - started);
        if (slept.compareTo(SLEEP_MIN) < 0 && wait.compareTo(SLEEP_MIN) >= 0) {
            LockSupport.parkNanos(SLEEP_MIN.minus(slept).toNanos());
        }
    }

    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
