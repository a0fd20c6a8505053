package dev.mawashi.fetch;

import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.KeyWatch;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.tables.PausedQueues;
import java.time.Duration;
import java.util.Set;

/// Keeps `Pauses` at what Redis says.
public final class PauseWatch implements Service, Follower.Subject {
    private final PausedQueues paused;
    private final Pauses pauses;
    private final Listener listener;
    private final Follower follower;

    /// @param watch of the set with their names
    public PauseWatch(KeyWatch watch, Pauses pauses, Listener listener, Outage outage) {
        this.paused = new PausedQueues(watch.connection());
        this.pauses = pauses;
        this.listener = listener;
        this.follower = new Follower("pause", watch, this, listener, outage);
    }

    /// Looks once before it returns, so that what starts next claims from no paused queue.
    @Override
    public void start() {
        follower.start();
    }

    @Override
    public void check() {
        Set<String> names = paused.names();
        if (!names.equals(pauses.queues())) {
            pauses.set(names);
            listener.on(new Event.QueuesPaused(names));
        }
    }

    /// Takes no queue as paused, so that all are served. Always true: there is no hurry to look
    /// again.
    @Override
    public boolean refused(RedisFailure failure, boolean isNew) {
        pauses.set(Set.of());
        if (isNew) {
            listener.on(new Event.PausesUnreadable(failure.reason()));
        }
        return true;
    }

    @Override
    public void stop(Duration patience) {
        follower.stop(patience);
    }
}
