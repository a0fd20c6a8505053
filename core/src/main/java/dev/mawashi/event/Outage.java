package dev.mawashi.event;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// The state of the broker as all threads that talk to it see it: one line when it goes away, one
/// every five seconds while it is away, one when it is back, however many threads notice.
public final class Outage {
    private static final long REPEAT_NANOS = Duration.ofSeconds(5).toNanos();

    private final Listener listener;
    private final LongSupplier nanoTime;
    private final AtomicLong nextReport = new AtomicLong();
    private final AtomicBoolean isDown = new AtomicBoolean();

    /// @param nanoTime a monotonic clock
    public Outage(Listener listener, LongSupplier nanoTime) {
        this.listener = listener;
        this.nanoTime = nanoTime;
    }

    /// A thread could not reach the broker.
    public void down(String message) {
        long now = nanoTime.getAsLong();
        long due = nextReport.get();
        boolean isFirst = isDown.compareAndSet(false, true);
        if ((isFirst || now - due >= 0) && nextReport.compareAndSet(due, now + REPEAT_NANOS)) {
            listener.on(new Event.BrokerDown(message));
        }
    }

    /// A thread reached it.
    public void up() {
        // Called after every round trip: only a read while all is well.
        if (isDown.get() && isDown.compareAndSet(true, false)) {
            listener.on(new Event.BrokerUp());
        }
    }

    public boolean isDown() {
        return isDown.get();
    }
}
