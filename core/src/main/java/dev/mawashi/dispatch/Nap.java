package dev.mawashi.dispatch;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The sleep of one thread for as long as there is nothing for it to do. Whoever makes something to
/// do ends it after that, which costs one read of a field while nobody sleeps.
final class Nap {
    private volatile @Nullable Thread sleeper;

    /// Sleeps until `end`, but not when there is something to do already. It may end early.
    ///
    /// @param isIdle asked once that it can be ended, so that neither side misses the other
    void take(BooleanSupplier isIdle) {
        sleeper = Thread.currentThread();
        if (isIdle.getAsBoolean()) {
            while (sleeper != null) {
                LockSupport.park(this);
            }
        }
        sleeper = null;
    }

    /// There is something to do. Safe for any thread.
    void end() {
        Thread asleep = sleeper;
        if (asleep != null) {
            sleeper = null;
            LockSupport.unpark(asleep);
        }
    }
}
