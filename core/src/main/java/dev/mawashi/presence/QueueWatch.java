package dev.mawashi.presence;

import dev.mawashi.broker.ResqueWatch;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.fetch.Pauses;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.fetch.QueuePatterns;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Keeps a Resque capsule at the queues that match what is wanted, and paused while Resque's
/// workers are. It sleeps until Redis tells of a change; while Redis is away, what was known last
/// holds.
public final class QueueWatch implements Service {
    /// A connection that is cut while this sleeps is told of no change.
    private static final Duration SLEEP_MAX = Duration.ofSeconds(5);

    /// Shortest time between two looks.
    private static final Duration SLEEP_MIN = Duration.ofMillis(5);

    private final ResqueWatch watch;
    private final QueuePatterns patterns;
    private final Served served;
    private final Listener listener;
    private final Outage outage;
    private final Backoff backoff = new Backoff();
    private volatile boolean isStopping;
    private boolean isKnown;
    private List<String> names = List.of();
    private Set<String> paused = Set.of();
    private @Nullable Thread thread;

    /// What is kept at the queues.
    public record Served(LeaseKeeper keeper, Capsule capsule, Pauses pauses) {}

    public QueueWatch(
            ResqueWatch watch,
            QueuePatterns patterns,
            Served served,
            Listener listener,
            Outage outage) {
        this.watch = watch;
        this.patterns = patterns;
        this.served = served;
        this.listener = listener;
        this.outage = outage;
    }

    /// Looks once before it returns, so that what starts next claims from no paused queue.
    @Override
    public void start() {
        look();
        thread = Thread.ofVirtual().name("mawashi-queues-1").start(this::run);
    }

    private void run() {
        while (!isStopping) {
            watch.awaitChange(isKnown ? SLEEP_MAX : Duration.ZERO);
            LockSupport.parkNanos(SLEEP_MIN.toNanos());
            if (!isStopping) {
                look();
            }
        }
        watch.close();
    }

    private void look() {
        isKnown = false;
        try {
            ResqueWatch.Seen seen = watch.look();
            List<String> wanted = patterns.expand(seen.queues());
            pause(seen.isPaused() ? Set.copyOf(wanted) : Set.of());
            serve(wanted);
            isKnown = true;
            backoff.reset();
        } catch (RedisFailure failure) {
            if (!isStopping) {
                outage.down(failure.reason());
                backoff.pause();
            }
        } catch (RuntimeException defect) {
            listener.on(new Event.Defect("queues", defect));
            backoff.pause();
        }
    }

    private void pause(Set<String> wanted) {
        if (!wanted.equals(paused)) {
            paused = wanted;
            served.pauses().set(wanted);
            listener.on(new Event.QueuesPaused(wanted));
        }
    }

    /// The lease first: without one on a queue nothing is claimed from it.
    private void serve(List<String> wanted) {
        if (!wanted.equals(names)) {
            names = wanted;
            served.keeper().serve(wanted);
            served.capsule().serve(wanted.isEmpty() ? QueueOrder.NONE : QueueOrder.strict(wanted));
            listener.on(new Event.QueuesServed(wanted));
        }
    }

    @Override
    public void stop(Duration patience) {
        isStopping = true;
        watch.wake();
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
