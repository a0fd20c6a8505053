package dev.mawashi.dispatch;

import dev.mawashi.broker.CancelMarks;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.settle.Settler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Keeps `Cancelled` at what Redis says, and takes the marks of jobs out that were ended. It sleeps
/// until Redis tells of a change.
///
/// A mark goes only when its job's settlement is in Redis: if this process dies before, whoever
/// recovers the job finds the mark.
public final class CancelWatch implements Service {
    /// A connection that is cut while this sleeps is told of no change.
    private static final Duration SLEEP_MAX = Duration.ofSeconds(5);

    /// Shortest time between two looks.
    private static final Duration SLEEP_MIN = Duration.ofMillis(5);

    private static final Duration SETTLE_PATIENCE = Duration.ofSeconds(5);

    private final CancelMarks marks;
    private final Cancelled cancelled;
    private final Settler settler;
    private final Listener listener;
    private final Outage outage;
    private final Backoff backoff = new Backoff();
    private volatile boolean isStopping;
    private boolean isKnown;
    private boolean isRefused;
    private @Nullable Thread thread;

    public CancelWatch(
            CancelMarks marks,
            Cancelled cancelled,
            Settler settler,
            Listener listener,
            Outage outage) {
        this.marks = marks;
        this.cancelled = cancelled;
        this.settler = settler;
        this.listener = listener;
        this.outage = outage;
    }

    /// Looks once before it returns, so that what starts next begins no cancelled job.
    @Override
    public void start() {
        cancelled.onEnd(marks::wake);
        look();
        thread = Thread.ofVirtual().name("mawashi-cancel-1").start(this::run);
    }

    private void run() {
        while (!isStopping) {
            marks.awaitChange(isKnown ? SLEEP_MAX : Duration.ZERO);
            LockSupport.parkNanos(SLEEP_MIN.toNanos());
            if (!isStopping) {
                look();
            }
        }
        marks.close();
    }

    private void look() {
        isKnown = false;
        try {
            unmark();
            Set<String> jids = marks.jids();
            if (!jids.equals(cancelled.jids())) {
                cancelled.set(jids);
            }
            isKnown = true;
            isRefused = false;
            backoff.reset();
        } catch (RedisFailure failure) {
            if (failure.kind() == RedisFailure.Kind.REFUSED) {
                refused(failure);
            } else if (!isStopping) {
                outage.down(failure.reason());
                backoff.pause();
            }
        } catch (RuntimeException defect) {
            listener.on(new Event.Defect("cancel", defect));
            backoff.pause();
        }
    }

    private void unmark() {
        List<String> ended = cancelled.takeEnded();
        if (ended.isEmpty()) {
            return;
        }
        if (settler.flush(SETTLE_PATIENCE)) {
            marks.unmark(ended);
        } else {
            cancelled.putBack(ended);
        }
    }

    /// The key is of a wrong type or not for this user: nothing can be cancelled.
    private void refused(RedisFailure failure) {
        cancelled.set(Set.of());
        isKnown = true;
        if (!isRefused) {
            isRefused = true;
            listener.on(new Event.CancelsUnreadable(failure.reason()));
        }
    }

    @Override
    public void stop(Duration patience) {
        isStopping = true;
        marks.wake();
        Thread running = thread;
        if (running != null) {
            LockSupport.unpark(running);
            try {
                running.join(patience.plus(Duration.ofMillis(100)));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
