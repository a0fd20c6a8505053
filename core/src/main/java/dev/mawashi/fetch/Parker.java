package dev.mawashi.fetch;

import dev.mawashi.broker.Parking;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One that parks at a queue, on a thread of its own.
final class Parker {
    final String queue;
    final Parking parking;

    /// It is to end.
    volatile boolean isGone;

    /// Set once it was started.
    volatile @Nullable Thread thread;

    Parker(String queue, Parking parking) {
        this.queue = queue;
        this.parking = parking;
    }

    /// Waits until its thread has ended, or that time has come.
    ///
    /// @param endNanos by `System.nanoTime`
    void awaitEnd(long endNanos) {
        Thread running = thread;
        Duration left = Duration.ofNanos(endNanos - System.nanoTime());
        try {
            if (running != null && !left.isNegative()) {
                running.join(left);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
