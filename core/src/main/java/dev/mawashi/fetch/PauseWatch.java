package dev.mawashi.fetch;

import dev.mawashi.broker.PausedQueues;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Keeps `Pauses` at what Redis says. It sleeps until Redis tells of a change; while Redis is away,
/// what was known last holds.
public final class PauseWatch implements Service {
    /// A connection that is cut while this sleeps is told of no change.
    private static final Duration SLEEP_MAX = Duration.ofSeconds(5);

    /// Shortest time between two looks.
    private static final Duration SLEEP_MIN = Duration.ofMillis(5);

    private final PausedQueues paused;
    private final Pauses pauses;
    private final Listener listener;
    private final Outage outage;
    private final Backoff backoff = new Backoff();
    private volatile boolean isStopping;
    private boolean isKnown;
    private boolean isRefused;
    private @Nullable Thread thread;

    public PauseWatch(PausedQueues paused, Pauses pauses, Listener listener, Outage outage) {
        this.paused = paused;
        this.pauses = pauses;
        this.listener = listener;
        this.outage = outage;
    }

    /// Looks once before it returns, so that what starts next claims from no paused queue.
    @Override
    public void start() {
        look();
        thread = Thread.ofVirtual().name("mawashi-pause-1").start(this::run);
    }

    private void run() {
        while (!isStopping) {
            paused.awaitChange(isKnown ? SLEEP_MAX : Duration.ZERO);
            LockSupport.parkNanos(SLEEP_MIN.toNanos());
            if (!isStopping) {
                look();
            }
        }
        paused.close();
    }

    private void look() {
        isKnown = false;
        try {
            Set<String> names = paused.names();
            if (!names.equals(pauses.queues())) {
                pauses.set(names);
                listener.on(new Event.QueuesPaused(names));
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
            listener.on(new Event.Defect("pause", defect));
            backoff.pause();
        }
    }

    /// The key is of a wrong type or not for this user: nothing can be paused, and the queues are
    /// served.
    private void refused(RedisFailure failure) {
        pauses.set(Set.of());
        isKnown = true;
        if (!isRefused) {
            isRefused = true;
            listener.on(new Event.PausesUnreadable(failure.reason()));
        }
    }

    @Override
    public void stop(Duration patience) {
        isStopping = true;
        paused.wake();
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
