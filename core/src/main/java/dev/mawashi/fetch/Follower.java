package dev.mawashi.fetch;

import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.KeyWatch;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Keeps a subject at what Redis says. It sleeps until Redis reports a change; while Redis is away,
/// what was known last holds.
public final class Follower implements Service {
    /// A connection that is cut while this sleeps gets no report.
    private static final Duration SLEEP_MAX = Duration.ofSeconds(5);

    /// Shortest time between two looks.
    private static final Duration SLEEP_MIN = Duration.ofMillis(5);

    private final String name;
    private final KeyWatch watch;
    private final Subject subject;
    private final Listener listener;
    private final Outage outage;
    private final Backoff backoff = new Backoff();
    private final Loop loop;
    private boolean isKnown;
    private boolean isRefused;

    /// Follows Redis. Called by one thread at a time.
    public interface Subject {
        /// Reads what Redis says.
        ///
        /// @throws RedisFailure when that cannot be had
        void check();

        /// Redis refused: the key is of a wrong type or not for this user.
        ///
        /// @param isNew false when it refused the last time too
        /// @return false to look again soon, as after any failure
        default boolean refused(RedisFailure failure, boolean isNew) {
            return false;
        }
    }

    /// @param name in the name of the thread and in events
    /// @param watch of what the subject reads, over its connection
    public Follower(
            String name, KeyWatch watch, Subject subject, Listener listener, Outage outage) {
        this.name = name;
        this.watch = watch;
        this.subject = subject;
        this.listener = listener;
        this.outage = outage;
        loop = Loop.platform(name, this::step).wakingSteps(watch::wake).farewell(watch::close);
    }

    /// Looks once before it returns, so that what starts next knows.
    @Override
    public void start() {
        check();
        loop.start();
    }

    private Duration step() {
        watch.awaitOrPoll(isKnown ? SLEEP_MAX : Duration.ZERO);
        LockSupport.parkNanos(SLEEP_MIN.toNanos());
        if (!loop.isStopping()) {
            check();
        }
        return Duration.ZERO;
    }

    private void check() {
        isKnown = false;
        try {
            watch.track();
            subject.check();
            isKnown = true;
            isRefused = false;
            backoff.reset();
        } catch (RedisFailure failure) {
            failed(failure);
        } catch (RuntimeException defect) {
            listener.on(new Event.Defect(name, defect));
            backoff.pause();
        }
    }

    private void failed(RedisFailure failure) {
        if (failure.kind() == RedisFailure.Kind.REFUSED && subject.refused(failure, !isRefused)) {
            isRefused = true;
            isKnown = true;
        } else if (!loop.isStopping()) {
            outage.down(failure.reason());
            backoff.pause();
        }
    }

    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
