package dev.mawashi.event;

import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// The state of the broker as all threads that talk to it see it: one line when it goes away, one
/// every five seconds while it is away, one when it is back, however many threads notice and
/// however often it comes and goes.
public final class Outage {
    private static final long REPEAT_NANOS = Duration.ofSeconds(5).toNanos();

    private final Listener listener;
    private final LongSupplier nanoTime;

    /// Where it comes and goes many times per second, what is within the five seconds of the last
    /// line is not reported: neither its loss nor its return.
    private final AtomicLong nextReport;

    private final AtomicBoolean isDown = new AtomicBoolean();
    private final AtomicBoolean isTold = new AtomicBoolean();

    /// @param nanoTime a monotonic clock
    public Outage(Listener listener, LongSupplier nanoTime) {
        this.listener = listener;
        this.nanoTime = nanoTime;
        nextReport = new AtomicLong(nanoTime.getAsLong());
    }

    /// Says that a thread could not reach the broker.
    public void down(String message) {
        long now = nanoTime.getAsLong();
        long due = nextReport.get();
        isDown.set(true);
        if (now - due >= 0 && nextReport.compareAndSet(due, now + REPEAT_NANOS)) {
            listener.on(new Event.BrokerDown(message));
            isTold.set(true);
        }
    }

    /// Says that a thread reached the broker.
    public void up() {
        // Called after every round trip: only reads while all is well.
        if (isDown.get()) {
            isDown.set(false);
        }
        if (isTold.get() && isTold.compareAndSet(true, false)) {
            listener.on(new Event.BrokerUp());
        }
    }

    /// A step of a service failed: for want of the broker, or by a defect of ours.
    ///
    /// @param service names it in the log
    public void failed(String service, RuntimeException failure) {
        if (failure instanceof RedisFailure refusal) {
            down(refusal.reason());
        } else {
            listener.on(new Event.Defect(service, failure));
        }
    }

    public boolean isDown() {
        return isDown.get();
    }
}
