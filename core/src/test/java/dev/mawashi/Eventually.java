package dev.mawashi;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what another thread or process does, with a limit that only a hang can reach.
public final class Eventually {
    private static final long PAUSE_NANOS_MIN = Duration.ofMillis(5).toNanos();
    private static final long PAUSE_NANOS_MAX = Duration.ofMillis(40).toNanos();

    /// The longer it has waited, the longer are the pauses: looks cost the other processes CPU.
    private static final int PAUSE_SHARE = 10;

    private Eventually() {}

    /// Returns as soon as the condition holds.
    ///
    /// @throws AssertionError when it does not within `limit`
    public static void until(String what, Duration limit, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long waited = System.nanoTime() - start;
            if (waited > limit.toNanos()) {
                throw new AssertionError("not within " + limit + ": " + what);
            }
            LockSupport.parkNanos(
                    Math.clamp(waited / PAUSE_SHARE, PAUSE_NANOS_MIN, PAUSE_NANOS_MAX));
        }
    }

    public static void until(String what, BooleanSupplier condition) {
        until(what, Duration.ofSeconds(20), condition);
    }
}
