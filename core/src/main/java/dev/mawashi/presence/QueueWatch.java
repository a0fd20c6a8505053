package dev.mawashi.presence;

import dev.mawashi.dispatch.Capsule;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.fetch.Follower;
import dev.mawashi.fetch.Pauses;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.fetch.QueuePatterns;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.KeyWatch;
import dev.mawashi.tables.ResqueWatch;
import dev.mawashi.wire.ResqueKeys;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Keeps a Resque capsule at the queues that match what is wanted, and paused while Resque's
/// workers are.
public final class QueueWatch implements Service, Follower.Subject {
    private final ResqueWatch resque;
    private final QueuePatterns patterns;
    private final Served served;
    private final Listener listener;
    private final Follower follower;
    private List<String> names = List.of();
    private Set<String> paused = Set.of();

    /// The parts that are kept at the queues.
    ///
    /// @param parkedMax at how many of them the capsule parks at most
    public record Served(LeaseKeeper keeper, Capsule capsule, Pauses pauses, int parkedMax) {}

    public QueueWatch(
            KeyWatch watch,
            ResqueKeys keys,
            QueuePatterns patterns,
            Served served,
            Listener listener,
            Outage outage) {
        this.resque = new ResqueWatch(watch.connection(), keys);
        this.patterns = patterns;
        this.served = served;
        this.listener = listener;
        this.follower = new Follower("queues", watch, this, listener, outage);
    }

    /// Looks once before it returns, so that what starts next claims from no paused queue.
    @Override
    public void start() {
        follower.start();
    }

    @Override
    public void check() {
        ResqueWatch.Seen seen = resque.read();
        List<String> wanted = patterns.expand(seen.queues());
        pause(seen.isPaused() ? Set.copyOf(wanted) : Set.of());
        serve(wanted);
    }

    private void pause(Set<String> wanted) {
        if (!wanted.equals(paused)) {
            paused = wanted;
            served.pauses().set(wanted);
            listener.on(new Event.QueuesPaused(wanted));
        }
    }

    /// The lease first: without one on a queue nothing is claimed from it. That on the queues which
    /// nobody parks at is opened when there is work in them.
    private void serve(List<String> wanted) {
        if (!wanted.equals(names)) {
            List<String> before = names;
            names = wanted;
            QueueOrder order =
                    wanted.isEmpty()
                            ? QueueOrder.NONE
                            : QueueOrder.strict(wanted).parkedAtMost(served.parkedMax());
            served.keeper().serve(order.parked());
            served.capsule().serve(order);
            report(before);
        }
    }

    /// Not where only the order is another.
    private void report(List<String> before) {
        List<String> fresh = without(names, before);
        List<String> gone = without(before, names);
        if (!fresh.isEmpty() || !gone.isEmpty()) {
            listener.on(new Event.QueuesServed(names, fresh, gone));
        }
    }

    private static List<String> without(List<String> some, List<String> others) {
        Set<String> left = new LinkedHashSet<>(some);
        left.removeAll(Set.copyOf(others));
        return List.copyOf(left);
    }

    @Override
    public void stop(Duration patience) {
        follower.stop(patience);
    }
}
