package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.children.Child;
import dev.mawashi.children.ChildEnd;
import dev.mawashi.children.ChildListener;
import dev.mawashi.children.Noted;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.job.Cut;
import dev.mawashi.job.Outcome;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// All that one child runs: the jobs of each capsule that has slots there. Takes what the child has
/// to report to those whom it concerns, and sees to what concerns the child as a whole.
final class Company implements ChildListener, Neighbours {
    private final Listener listener;

    /// By lane. Filled before the child is forked.
    private final Map<Integer, ChildJobs> members = new TreeMap<>();

    private final AtomicLong leasedUntil = new AtomicLong(System.nanoTime());
    private final AtomicInteger drained = new AtomicInteger();
    private volatile @Nullable Child child;
    private @Nullable ChildJobs only;

    Company(Listener listener) {
        this.listener = listener;
    }

    void add(int lane, ChildJobs jobs) {
        only = members.isEmpty() ? jobs : null;
        members.put(lane, jobs);
    }

    /// The jobs of a lane; null when it has no slots here.
    @Nullable ChildJobs of(int lane) {
        return members.get(lane);
    }

    /// The child lives.
    void open(Child ready) {
        child = ready;
    }

    @Override
    public void done(LongBuffer idsAndNanos) {
        if (only != null) {
            only.done(idsAndNanos);
            return;
        }
        Map<Integer, LongBuffer> byLane = new TreeMap<>();
        int most = idsAndNanos.remaining();
        while (idsAndNanos.hasRemaining()) {
            long id = idsAndNanos.get();
            byLane.computeIfAbsent(Child.lane(id), _ -> LongBuffer.allocate(most))
                    .put(id)
                    .put(idsAndNanos.get());
        }
        byLane.forEach((lane, ended) -> jobs(lane).done(ended.flip()));
    }

    @Override
    public void ended(long id, long nanos, Outcome outcome, boolean hadClass) {
        jobs(Child.lane(id)).ended(id, nanos, outcome, hadClass);
    }

    /// All hear of it, those of which nothing comes back too: the child was asked for all that it
    /// had not begun.
    @Override
    public void returned(long[] ids) {
        members.forEach((lane, jobs) -> {
            long[] own = new long[ids.length];
            int count = 0;
            for (long id : ids) {
                if (Child.lane(id) == lane) {
                    own[count++] = id;
                }
            }
            jobs.returned(Arrays.copyOf(own, count));
        });
    }

    @Override
    public @Nullable String jid(long id) {
        ChildJobs jobs = members.get(Child.lane(id));
        return jobs == null ? null : jobs.jid(id);
    }

    private ChildJobs jobs(int lane) {
        ChildJobs jobs = members.get(lane);
        if (jobs == null) {
            throw new IllegalStateException("a job of lane " + lane);
        }
        return jobs;
    }

    @Override
    public void silent(Child silent) {
        members.values().forEach(jobs -> jobs.silent(silent));
    }

    /// Whose fault it was is asked of all that ran together, whatever capsules they are of.
    @Override
    public void lost(ChildEnd end, @Nullable Noted noted) {
        String how =
                members.values().stream()
                        .flatMap(jobs -> jobs.killReason().stream())
                        .findFirst()
                        .orElseGet(end::describe);
        IdentityHashMap<Lease, Cut> late = new IdentityHashMap<>();
        Map<ChildJobs, HeldJobs.Fates> fates = new HashMap<>();
        members.values().forEach(jobs -> fates.put(jobs, jobs.lost(noted, late)));
        int running = fates.values().stream().mapToInt(one -> one.running().size()).sum();
        Child dead = child;
        if (dead != null && !dead.isEnding()) {
            listener.on(new Event.ChildLost(dead.pid(), how, running));
        }
        ChildSettling.Crash crash = new ChildSettling.Crash(end, running, late);
        fates.forEach((jobs, own) -> jobs.died(own, crash));
    }

    @Override
    public void rest(Object by) {
        members.values().forEach(jobs -> jobs.intake().rest(by));
    }

    @Override
    public void goOn(Object by) {
        members.values().forEach(jobs -> jobs.intake().goOn(by));
    }

    /// Of two threads that send at once either may come to the child last.
    @Override
    public void leaseUntil(long until) {
        leasedUntil.accumulateAndGet(until, (before, now) -> now - before > 0 ? now : before);
    }

    @Override
    public long leasedUntil() {
        return leasedUntil.get();
    }

    /// The child gets no more jobs, and is to give back what it has not begun.
    ///
    /// @param why in words
    /// @return whether it has given all back, to be asked again and again
    BooleanSupplier leave(Child leaving, String why) {
        listener.on(new Event.ChildRecycled(leaving.pid(), why));
        List<ChildJobs> all = new ArrayList<>(members.values());
        all.forEach(ChildJobs::leave);
        leaving.recall();
        return () -> all.stream().allMatch(ChildJobs::haveReturned);
    }

    @Override
    public void isDrained() {
        Child ending = child;
        if (drained.incrementAndGet() == members.size() && ending != null) {
            ending.end();
        }
    }
}
