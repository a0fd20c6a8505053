package dev.mawashi.dispatch;

import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.fetch.Follower;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.KeyWatch;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.settle.Settler;
import dev.mawashi.tables.CancelMarks;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Keeps `Cancelled` at what Redis says, and takes the marks of jobs out that were ended.
///
/// A mark goes only when its job's settlement is in Redis: if this process dies before, whoever
/// recovers the job finds the mark.
public final class CancelWatch implements Service, Follower.Subject {
    private static final Duration SETTLE_PATIENCE = Duration.ofSeconds(5);

    private final KeyWatch watch;
    private final CancelMarks marks;
    private final Cancelled cancelled;
    private final Settler settler;
    private final Listener listener;
    private final Follower follower;

    public CancelWatch(
            KeyWatch watch,
            QueueLayout layout,
            Cancelled cancelled,
            Settler settler,
            Listener listener,
            Outage outage) {
        this.watch = watch;
        this.marks = new CancelMarks(watch.connection(), layout);
        this.cancelled = cancelled;
        this.settler = settler;
        this.listener = listener;
        this.follower = new Follower("cancel", watch, this, listener, outage);
    }

    /// Looks once before it returns, so that what starts next begins no cancelled job.
    @Override
    public void start() {
        cancelled.onEnd(watch::wake);
        follower.start();
    }

    @Override
    public void check() {
        unmark();
        Set<String> names = marks.names();
        if (!names.equals(cancelled.names())) {
            cancelled.set(names);
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

    /// Takes no job as cancelled. Always true: there is no hurry to look again.
    @Override
    public boolean refused(RedisFailure failure, boolean isNew) {
        cancelled.set(Set.of());
        if (isNew) {
            listener.on(new Event.CancelsUnreadable(marks.key(), failure.reason()));
        }
        return true;
    }

    @Override
    public void stop(Duration patience) {
        follower.stop(patience);
    }
}
