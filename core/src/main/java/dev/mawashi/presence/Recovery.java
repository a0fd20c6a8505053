package dev.mawashi.presence;

import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Leasing;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.settle.JobNames;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Looks, each sweep, for processes whose lease has lapsed, on every queue that was ever served,
/// and puts what they held back to the head of its queue. Every live process does this; two that
/// find the same one share the work, since each step of it moves what is still there.
public final class Recovery implements Service {
    /// What other live processes get to renew their leases after an outage that made them lapse;
    /// they try each half second.
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final Duration GRACE_LOOK = Duration.ofMillis(200);

    private final Leasing leasing;
    private final Epoch epoch;
    private final LeaseSettings settings;
    private final Consumer<String> onSuspects;
    private final Listener listener;
    private final Outage outage;
    private final Loop loop;

    /// Queues with suspects at the last sweep. Those are seen to first by whoever has found them,
    /// so that one suspect does not keep a whole fleet busy.
    private final Set<String> waiting = new HashSet<>();

    /// Queues that could not be recovered at the last sweep.
    private final Set<String> refused = new HashSet<>();

    /// A Redis that was restarted, or took another's place, may have leases of a while ago. By
    /// `renewedByNanos` live processes have renewed theirs, which they do several times in a
    /// lease's length. What happens meanwhile makes that no later, so that behind a proxy which
    /// asks one server now and another then the dead are recovered too.
    private boolean isWaiting;

    private long renewedByNanos;

    /// @param onSuspects called with a queue at each sweep that makes suspects of its jobs, or
    ///   finds some for the second time
    public Recovery(
            Leasing leasing,
            Epoch epoch,
            LeaseSettings settings,
            Consumer<String> onSuspects,
            Listener listener,
            Outage outage) {
        this.epoch = epoch;
        this.onSuspects = onSuspects;
        this.leasing = leasing;
        loop = Loop.platform("recover", this::step).farewell(leasing::close);
        this.settings = settings;
        this.listener = listener;
        this.outage = outage;
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration step() {
        if (!epoch.isSteady(System.nanoTime(), GRACE)) {
            return GRACE_LOOK;
        }
        try {
            if (areLeasesOfNow()) {
                sweepOnce();
            }
        } catch (RuntimeException failure) {
            outage.failed("recovery", failure);
        }
        return settings.sweep();
    }

    private boolean areLeasesOfNow() {
        long now = System.nanoTime();
        if (leasing.isAnotherServer() && !isWaiting) {
            isWaiting = true;
            renewedByNanos = now + settings.length().toNanos();
        }
        isWaiting &= now - renewedByNanos < 0;
        return !isWaiting;
    }

    private void sweepOnce() {
        List<String> queues = leasing.queuesToRecover(epoch.owner());
        waiting.retainAll(queues);
        for (String queue : List.copyOf(refused)) {
            if (!queues.contains(queue)) {
                recovers(queue);
            }
        }
        for (String queue : queues) {
            if (loop.isStopping()) {
                return;
            }
            try {
                recover(queue);
                recovers(queue);
            } catch (RedisFailure failure) {
                if (failure.kind() != RedisFailure.Kind.REFUSED) {
                    throw failure;
                }
                // One queue's key is of a wrong type; the others are looked at all the same.
                if (refused.add(queue)) {
                    listener.on(new Event.QueueUnrecoverable(queue, failure.reason()));
                }
            }
        }
    }

    private void recovers(String queue) {
        if (refused.remove(queue)) {
            listener.on(new Event.QueueRecoverable(queue));
        }
    }

    private void recover(String queue) {
        Leasing.Recovered recovered = leasing.recover(queue, epoch.owner());
        int jobs = recovered.jobs().count();
        if (jobs > 0) {
            List<Event.JobName> names = names(queue, recovered.jobs());
            listener.on(new Event.JobsRecovered(queue, recovered.owners(), jobs, names));
        }
        int suspects = recovered.suspects().count();
        if (suspects > 0) {
            List<Event.JobName> names = names(queue, recovered.suspects());
            listener.on(new Event.JobsSuspected(queue, suspects, names));
        }
        boolean haveWaited = recovered.waiting() > 0 && !waiting.add(queue);
        if (suspects > 0 || haveWaited) {
            onSuspects.accept(queue);
        } else if (recovered.waiting() == 0) {
            waiting.remove(queue);
        }
    }

    private static List<Event.JobName> names(String queue, Leasing.Moved jobs) {
        return jobs.named().stream().map(payload -> JobNames.of(queue, payload)).toList();
    }

    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
