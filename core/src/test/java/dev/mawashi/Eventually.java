package dev.mawashi;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what another thread or process does, with a limit that only a hang can reach.
public final class Eventually {
    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    private Eventually() {}

    /// Returns as soon as the condition holds.
    ///
    /// @throws AssertionError when it does not within `limit`
    public static void until(String what, Duration limit, BooleanSupplier condition) {
        long giveUp = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > giveUp) {
                throw new AssertionError("not within " + limit + ": " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    public static void until(String what, BooleanSupplier condition) {
        until(what, Duration.ofSeconds(20), condition);
    }
}
