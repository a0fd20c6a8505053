package dev.mawashi.lifecycle;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Growing pauses between attempts: 50 ms, doubled up to 1 s. One thread's; anyone may unpark that
/// thread to cut a pause short.
public final class Backoff {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private long next = FIRST_NANOS;

    public void pause() {
        LockSupport.parkNanos(this, next);
        next = Math.min(LONGEST_NANOS, next * 2);
    }

    /// To be called after a success.
    public void reset() {
        next = FIRST_NANOS;
    }
}
